import { data, Form, useNavigation } from "react-router";
import { OneTimeSecret } from "#app/accounts/one-time-secret.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { RefreshButton } from "#app/admin/shell/refresh-button.tsx";
import { listPath } from "#app/admin/table/page-params.ts";
import { siteContext, viewerContext } from "#app/context.ts";
import { invalidForm, keepFormOnRequestFailure, type RefusedForm, refuseForm } from "#app/forms/refused-form.ts";
import { useLastResult } from "#app/forms/use-last-result.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { CursorNav } from "#app/ui/cursor-nav.tsx";
import { ConfirmFormDialog } from "#app/ui/dialogs/confirm-form-dialog.tsx";
import { ConfirmPage } from "#app/ui/dialogs/confirm-page.tsx";
import { KeyRound, Send, Trash2 } from "#app/ui/icons.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { dateAndTime } from "#domain/dates.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { wholeNumber } from "#domain/forms/whole-number.ts";
import { requirePermission } from "#domain/permissions.ts";
import { detailsOf } from "#domain/refusals.ts";
import { listDeliveries, sendEventAgain, sendTestEvent } from "#domain/webhooks/deliveries.server.ts";
import { type Webhook, webhookLimits, webhookTexts } from "#domain/webhooks/webhook.ts";
import { WebhookInput } from "#domain/webhooks/webhook-input.ts";
import {
  addWebhook,
  deleteWebhook,
  findWebhook,
  renewSecret,
  saveWebhook,
  setWebhookOn,
  type WebhookChanged,
} from "#domain/webhooks/webhooks.server.ts";
import type { Route } from "./+types/webhook-page.ts";
import { DeliveryList, WebhookForm, type WebhookFormValues, WebhookState } from "./webhook-parts.tsx";

const list = "/admin/webhooks";
const perPage = 20;

/** `/admin/webhooks/new` is the form for a new webhook. */
export async function loader({ params: { id }, url, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  requirePermission(viewer, "see webhooks");
  const after = url.searchParams.get("after");
  const shared = { after, now: site.now() };
  if (id === "new") return { ...shared, webhook: null, deliveries: [], next: null };
  const before = wholeNumber(after, Number.MAX_SAFE_INTEGER);
  const [webhook, page] = await Promise.all([findWebhook(site, viewer, id), listDeliveries(site, viewer, id, { before, limit: perPage })]);
  return { ...shared, webhook, ...page };
}

type ActionResult = { ask?: Question; secret?: string; id?: string } & Partial<RefusedForm<WebhookFormValues>>;

function readValues(form: FormData): WebhookFormValues {
  const text = (name: string) => String(form.get(name) ?? "");
  return { address: text("address").slice(0, webhookLimits.address), events: form.getAll("events").map(String), shown: text("shown") };
}

/** Undefined from a page of an older version. */
function parseShown({ shown = "" }: WebhookFormValues): WebhookInput | undefined {
  try {
    return WebhookInput.safeParse(JSON.parse(shown)).data;
  } catch {
    return undefined;
  }
}

export async function action({ request, params: { id }, url, context }: Route.ActionArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const form = await readForm(request, formLimits.account);
  const [values, operation] = [readValues(form), String(form.get("do"))];
  if (isQuestion(operation) && form.get("confirmed") !== "yes") return data<ActionResult>({ ask: operation });
  const stay = (text: string) => redirectWithToast(`${list}/${id}`, { tone: "success", text });
  try {
    switch (operation) {
      case "save": {
        const input = WebhookInput.safeParse(values);
        if (!input.success) return invalidForm(values, input.error);
        if (id === "new") return showOnce(await addWebhook(site, viewer, input.data));
        await saveWebhook(site, viewer, id, input.data, parseShown(values));
        return stay(webhookTexts.saved);
      }
      case "secret":
        return showOnce({ secret: await renewSecret(site, viewer, id) });
      case "delete":
        await deleteWebhook(site, viewer, id);
        return redirectWithToast(list, { tone: "success", text: webhookTexts.deleted });
      case "test":
        await sendTestEvent(site, viewer, id);
        return stay(webhookTexts.tested);
      case "again":
        await sendEventAgain(site, viewer, id, wholeNumber(form.get("number")) ?? 0);
        return redirectWithToast(`${url.pathname}${url.search}`, { tone: "success", text: webhookTexts.again });
      default:
        await setWebhookOn(site, viewer, id, operation === "on");
        return stay(operation === "on" ? webhookTexts.on : webhookTexts.off);
    }
  } catch (error) {
    const changed = detailsOf<WebhookChanged>(error, "webhook-changed");
    return refuseForm(error, changed ? { ...values, shown: JSON.stringify(changed.present) } : values);
  }
}

function showOnce(result: { secret: string; id?: string }) {
  return data<ActionResult>(result, { headers: { "cache-control": "no-store" } });
}

export const clientAction = keepFormOnRequestFailure(readValues);

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(matches, { title: loaderData?.webhook ? "Webhook" : "Add webhook" });

const questions = {
  delete: { title: "Delete this webhook?", text: "We’ll stop sending events to it and delete its log.", confirmLabel: "Delete webhook" },
  secret: { title: "Create a new secret?", text: "The current secret stops working right away.", confirmLabel: "Create new secret" },
};
type Question = keyof typeof questions;

function isQuestion(text: string): text is Question {
  return Object.hasOwn(questions, text);
}

/** A new webhook's secret must not stay on another webhook's page. */
export default function WebhookPage(props: Route.ComponentProps) {
  return <Screen key={props.params.id} {...props} />;
}

function Screen({ loaderData: { webhook, deliveries, next, after, now }, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state === "submitting";
  const { values = webhook ?? { address: "", events: [] }, errors = {}, ask }: ActionResult = actionData ?? {};
  const { secret, id }: ActionResult = useLastResult(actionData && "secret" in actionData ? actionData : undefined) ?? {};
  if (webhook && ask) {
    const cancel = `${list}/${webhook.id}`;
    return <ConfirmPage {...questions[ask]} subject={webhook.address} cancel={cancel} danger={ask === "delete"} fields={{ do: ask }} />;
  }
  return (
    <>
      <PageHead
        title={webhook ? new URL(webhook.address).host : "Add webhook"}
        line={webhook ? undefined : "Requests are signed, retried for a day if they fail, and never follow redirects."}
        back={{ to: list, label: "Webhooks" }}
      >
        {webhook && <Switches webhook={webhook} busy={busy} />}
      </PageHead>
      {secret && (
        <OneTimeSecret
          id="new-secret"
          title="Copy the signing secret now"
          text="You won’t see it again. Use it to check that requests come from this site."
          secret={secret}
          className="mt-6"
        />
      )}
      {id && (
        <ButtonLink to={`${list}/${id}`} variant="primary" className="mt-4">
          Continue
        </ButtonLink>
      )}
      {webhook && <Status webhook={webhook} />}
      {!id && (
        <Panel className="mt-6 max-w-[720px] p-4 lg:p-5">
          <WebhookForm
            key={JSON.stringify([webhook?.address, webhook?.events])}
            values={values}
            errors={errors}
            isNew={!webhook}
            busy={busy}
          />
        </Panel>
      )}
      {webhook && (
        <section className="mt-10" aria-labelledby="deliveries">
          <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
            <div>
              <h2 id="deliveries" className="display text-t2">
                Deliveries
              </h2>
              <p className="mt-1 text-sm text-ink-2">From the last 30 days, up to 1,000.</p>
            </div>
            <RefreshButton toast="Deliveries refreshed" />
          </div>
          <DeliveryList deliveries={deliveries} now={now} busy={busy} />
          <CursorNav
            after={after}
            next={next === null ? null : String(next)}
            hrefOf={(cursor) => listPath(`${list}/${webhook.id}`, { after: cursor })}
          />
        </section>
      )}
      {webhook && (
        <div className="mt-10 flex flex-wrap gap-3 border-t border-line pt-6">
          <ConfirmFormDialog button={{ icon: KeyRound, children: "Create new secret" }} {...questions.secret} fields={{ do: "secret" }} />
          <ConfirmFormDialog
            button={{ variant: "danger", icon: Trash2, children: "Delete webhook" }}
            {...questions.delete}
            danger
            fields={{ do: "delete" }}
          />
        </div>
      )}
    </>
  );
}

function Switches({ webhook: { offAt }, busy }: { webhook: Webhook; busy: boolean }) {
  return (
    <Form method="post" className="flex flex-wrap gap-2">
      <Button type="submit" name="do" value="test" icon={Send} busy={busy}>
        Send test event
      </Button>
      <Button type="submit" name="do" value={offAt === null ? "off" : "on"} variant={offAt === null ? "secondary" : "primary"} busy={busy}>
        {offAt === null ? "Turn off" : "Turn on"}
      </Button>
    </Form>
  );
}

function Status({ webhook }: { webhook: Webhook }) {
  const { offAt, offBecause, failingSince } = webhook;
  return (
    <p className="mt-4 flex flex-wrap items-center gap-3 text-base text-ink-2">
      <WebhookState webhook={webhook} />
      {offAt !== null && `Since ${dateAndTime(offAt)}. ${offBecause ?? ""}`}
      {offAt === null && failingSince !== null && `Since ${dateAndTime(failingSince)}. It will be turned off after three days of failures.`}
    </p>
  );
}
