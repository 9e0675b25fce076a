import { data, Form, useNavigation } from "react-router";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { RefreshButton } from "#app/admin/shell/refresh-button.tsx";
import { listAddress } from "#app/admin/table/list-place.ts";
import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { answerForm } from "#app/shell/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { CursorNav } from "#app/ui/cursor-nav.tsx";
import { ConfirmDialog } from "#app/ui/dialogs/confirm-dialog.tsx";
import { QuestionPage } from "#app/ui/dialogs/question-page.tsx";
import { KeyRound, Send, Trash2 } from "#app/ui/icons.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { dateAndTime } from "#domain/dates.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { wholeNumber } from "#domain/forms/whole-number.ts";
import { problemsOf } from "#domain/normalize-input.ts";
import { mustBeAllowed } from "#domain/permissions.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { listDeliveries, sendEventAgain, sendTestEvent } from "#domain/webhooks/deliveries.server.ts";
import { type Webhook, webhookLimits, webhookTexts } from "#domain/webhooks/webhook.ts";
import { WebhookInput } from "#domain/webhooks/webhook-input.ts";
import { addWebhook, deleteWebhook, findWebhook, renewSecret, saveWebhook, setWebhookOn } from "#domain/webhooks/webhooks.server.ts";
import type { Route } from "./+types/webhook-page.ts";
import { DeliveryList, NewSecret, type WebhookErrors, WebhookForm, WebhookState, type WebhookTyped } from "./webhook-parts.tsx";

const list = "/admin/webhooks";
const perPage = 20;

/** A webhook with what was sent to it. `new` is one that isn't there yet. */
export async function loader({ params: { id }, url, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  mustBeAllowed(viewer, "see webhooks");
  const after = url.searchParams.get("after");
  const shared = { after, now: site.now() };
  if (id === "new") return { ...shared, webhook: null, deliveries: [], next: null };
  const before = /^\d{1,15}$/.test(after ?? "") ? Number(after) : undefined;
  const [webhook, page] = await Promise.all([findWebhook(site, viewer, id), listDeliveries(site, viewer, id, { before, limit: perPage })]);
  return { ...shared, webhook, ...page };
}

type Question = "delete" | "secret";
type Answer = { errors?: WebhookErrors; typed?: WebhookTyped; ask?: Question; secret?: string; id?: string };

export async function action({ request, params: { id }, url, context }: Route.ActionArgs) {
  const form = await readForm(request, formLimits.account);
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const typed = { address: String(form.get("address") ?? "").slice(0, webhookLimits.address), events: form.getAll("events").map(String) };
  const wanted = String(form.get("do"));
  try {
    if (wanted === "save") return await save(site, viewer, id, typed);
    const isConfirmed = form.get("confirmed") === "yes";
    if (isQuestion(wanted) && !isConfirmed) return data<Answer>({ ask: wanted });
    if (wanted === "secret") return secretShown({ secret: await renewSecret(site, viewer, id) });
    const [to, text] = await runAction(site, viewer, id, wanted, wholeNumber(form.get("number")) ?? 0);
    return redirectWithToast(to ?? `${url.pathname}${url.search}`, { tone: "success", text });
  } catch (error) {
    if (error instanceof Response) throw error;
    return answerForm<Answer>(error, ({ message, field }) => ({ errors: { [field === "address" ? "address" : "form"]: message }, typed }));
  }
}

function isQuestion(text: string): text is Question {
  return text === "delete" || text === "secret";
}

async function save(site: Site, viewer: Viewer, id: string, typed: WebhookTyped) {
  const input = WebhookInput.safeParse(typed);
  if (!input.success) return data<Answer>({ errors: problemsOf(input.error.issues), typed }, { status: 422 });
  if (id === "new") return secretShown(await addWebhook(site, viewer, input.data));
  await saveWebhook(site, viewer, id, input.data);
  return redirectWithToast(`${list}/${id}`, { tone: "success", text: webhookTexts.saved });
}

/** For this answer only. */
function secretShown(answer: { secret: string; id?: string }) {
  return data<Answer>(answer, { headers: { "cache-control": "no-store" } });
}

async function runAction(site: Site, viewer: Viewer, id: string, wanted: string, number: number): Promise<[string | null, string]> {
  if (wanted === "delete") {
    await deleteWebhook(site, viewer, id);
    return [list, webhookTexts.deleted];
  }
  if (wanted === "test") {
    await sendTestEvent(site, viewer, id);
    return [`${list}/${id}`, webhookTexts.tested];
  }
  if (wanted === "again") {
    await sendEventAgain(site, viewer, id, number);
    return [null, webhookTexts.again];
  }
  await setWebhookOn(site, viewer, id, wanted === "on");
  return [`${list}/${id}`, wanted === "on" ? webhookTexts.on : webhookTexts.off];
}

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(matches, { title: loaderData?.webhook ? "Webhook" : "Add webhook" });

const questions: Record<Question, { title: string; text: string; confirmLabel: string }> = {
  delete: { title: "Delete this webhook?", text: "We’ll stop sending events to it and delete its log.", confirmLabel: "Delete webhook" },
  secret: { title: "Make a new secret?", text: "The current secret stops working right away.", confirmLabel: "Make new secret" },
};

export default function WebhookPage({ loaderData: { webhook, deliveries, next, after, now }, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state === "submitting";
  const { errors = {}, ask, secret, id } = (actionData ?? {}) as Answer;
  if (webhook && ask) return <Question ask={ask} webhook={webhook} />;
  const typed = (actionData as Answer | undefined)?.typed ?? webhook ?? { address: "", events: [] };
  return (
    <>
      <PageHead
        title={webhook ? new URL(webhook.address).host : "Add webhook"}
        line={webhook ? undefined : "Requests are signed, retried for a day if they fail, and never follow redirects."}
        back={{ to: list, label: "Webhooks" }}
      >
        {webhook && <Switches webhook={webhook} busy={busy} />}
      </PageHead>
      {secret && <NewSecret secret={secret} />}
      {id && (
        <ButtonLink to={`${list}/${id}`} variant="primary" className="mt-4">
          Continue
        </ButtonLink>
      )}
      {webhook && <Condition webhook={webhook} />}
      {!id && (
        <Panel className="mt-6 max-w-[720px] p-4 lg:p-5">
          <WebhookForm typed={typed} errors={errors} isNew={!webhook} busy={busy} />
        </Panel>
      )}
      {webhook && (
        <section className="mt-10" aria-labelledby="deliveries">
          <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
            <div>
              <h2 id="deliveries" className="display text-t2">
                Deliveries
              </h2>
              <p className="mt-1 text-sm text-ink-2">The last 30 days, 1,000 at most.</p>
            </div>
            <RefreshButton toast="Deliveries refreshed" />
          </div>
          <DeliveryList deliveries={deliveries} now={now} busy={busy} />
          <CursorNav
            after={after}
            next={next === null ? null : String(next)}
            hrefOf={(cursor) => listAddress(`${list}/${webhook.id}`, { after: cursor })}
          />
        </section>
      )}
      {webhook && <Endings />}
    </>
  );
}

function Switches({ webhook: { offAt }, busy }: { webhook: Webhook; busy: boolean }) {
  return (
    <Form method="post" className="flex flex-wrap gap-2">
      <Button type="submit" name="do" value="test" icon={Send} busy={busy}>
        Send Test Event
      </Button>
      <Button type="submit" name="do" value={offAt === null ? "off" : "on"} variant={offAt === null ? "secondary" : "primary"} busy={busy}>
        {offAt === null ? "Turn Off" : "Turn On"}
      </Button>
    </Form>
  );
}

function Condition({ webhook }: { webhook: Webhook }) {
  const { offAt, offBecause, failingSince } = webhook;
  return (
    <p className="mt-4 flex flex-wrap items-center gap-3 text-base text-ink-2">
      <WebhookState webhook={webhook} />
      {offAt !== null && `Since ${dateAndTime(offAt)}. ${offBecause ?? ""}`}
      {offAt === null && failingSince !== null && `Since ${dateAndTime(failingSince)}. It will be turned off after three days of failures.`}
    </p>
  );
}

function Endings() {
  const { delete: deletion, secret } = questions;
  return (
    <div className="mt-10 flex flex-wrap gap-3 border-t border-line pt-6">
      <ConfirmDialog button={{ icon: KeyRound, children: "Make new secret" }} {...secret} fields={{ do: "secret" }} />
      <ConfirmDialog
        button={{ variant: "danger", icon: Trash2, children: "Delete webhook" }}
        {...deletion}
        danger
        fields={{ do: "delete" }}
      />
    </div>
  );
}

function Question({ ask, webhook }: { ask: Question; webhook: Webhook }) {
  const { title, text, confirmLabel } = questions[ask];
  return (
    <QuestionPage
      title={title}
      subject={webhook.address}
      question={text}
      cancel={`${list}/${webhook.id}`}
      confirmLabel={confirmLabel}
      danger={ask === "delete"}
      fields={{ do: ask }}
    />
  );
}
