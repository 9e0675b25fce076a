import { Form, useNavigation } from "react-router";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { RefreshButton } from "#app/admin/shell/refresh-button.tsx";
import { StatTiles } from "#app/admin/shell/stat-tiles.tsx";
import { ListFilters, optionsOf } from "#app/admin/table/list-filters.tsx";
import { listPath } from "#app/admin/table/page-params.ts";
import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { CursorNav } from "#app/ui/cursor-nav.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { CircleCheck, Clock, Mail, Send, TriangleAlert } from "#app/ui/icons.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { fullCount } from "#domain/format.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { wholeNumber } from "#domain/forms/whole-number.ts";
import { countEmails, discardEmail, listEmails, sendAgain, sendTestEmail } from "#domain/mail/outbox/outbox-admin.server.ts";
import { type EmailCounts, emailLists, outboxTexts } from "#domain/mail/outbox/queued-email.ts";
import { type TestEmailResult, testEmailTexts } from "#domain/mail/test-email.ts";
import type { Site, Viewer } from "#domain/site.ts";
import type { Route } from "./+types/emails-page.ts";
import { EmailItem } from "./email-item.tsx";

const path = "/admin/emails";
const perPage = 20;

export async function loader({ url, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const list = emailLists.find((each) => each === url.searchParams.get("list")) ?? "failed";
  const after = url.searchParams.get("after");
  const before = wholeNumber(after, Number.MAX_SAFE_INTEGER);
  const [counts, page] = await Promise.all([countEmails(site, viewer), listEmails(site, viewer, { list, before, limit: perPage })]);
  return { list, after, counts, delivers: site.mail.delivers, now: site.now(), ...page };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const form = await readForm(request, formLimits.account);
  const back = `${path}${url.search}`;
  try {
    const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
    if (form.get("do") === "test") return respondToTest(await sendTestEmail(site, viewer));
    return redirectWithToast(back, { tone: "success", text: await runAction(site, viewer, form) });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal.code !== "conflict") throw error;
    return redirectWithToast(back, { tone: "error", text: refusal.message });
  }
}

/** Opens the list with the test email. */
function respondToTest({ result, problem, isRetried }: TestEmailResult) {
  if (result === "failed")
    return redirectWithToast(isRetried ? `${path}?list=waiting` : path, { tone: "error", text: problem ?? outboxTexts.failed });
  const list = result === "waiting" ? "waiting" : "sent";
  return redirectWithToast(`${path}?list=${list}`, {
    tone: result === "waiting" ? "info" : "success",
    text: testEmailTexts[result],
  });
}

async function runAction(site: Site, viewer: Viewer, form: FormData): Promise<string> {
  const number = wholeNumber(form.get("number"), Number.MAX_SAFE_INTEGER) ?? 0;
  if (form.get("do") === "discard") {
    await discardEmail(site, viewer, number);
    return outboxTexts.discarded;
  }
  await sendAgain(site, viewer, number);
  return outboxTexts.again;
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Emails" });

const choices = optionsOf({ "": "Failed", waiting: "Waiting", sent: "Sent this week" });
const selects = [{ name: "list", label: "Emails", options: choices, className: "w-44" }];
const nothing = {
  failed: ["No failed emails", "Emails that a mail server rejects appear here, with the reason."],
  waiting: ["No waiting emails", "Emails that wait to be sent or retried appear here."],
  sent: ["No sent emails", "Emails from the last seven days appear here."],
} as const;

export default function EmailsPage({ loaderData: { list, after, counts, delivers, now, emails, next } }: Route.ComponentProps) {
  const busy = useNavigation().state === "submitting";
  const chosen = list === "failed" ? "" : list;
  const [title, text] = nothing[list];
  return (
    <>
      <PageHead
        title="Emails"
        line={
          delivers ? "For privacy, their contents aren’t shown." : "Without a mail server, emails are saved as files in the data folder."
        }
      >
        <ListFilters action={path} label="Emails" chosen={{ list: chosen }} selects={selects} />
        <Form method="post">
          <Button type="submit" name="do" value="test" icon={Send} busy={busy}>
            Send test email
          </Button>
        </Form>
        <ButtonLink to="/admin/emails/newsletter">Newsletter</ButtonLink>
        <RefreshButton toast="Emails refreshed" />
      </PageHead>
      <StatTiles className="mt-6" tiles={tilesOf(counts)} />
      {emails.length > 0 ? (
        <ul className="mt-5 divide-y divide-line rounded-lg border border-line bg-raised" aria-busy={busy}>
          {emails.map((email) => (
            <EmailItem key={email.number} email={email} now={now} busy={busy} />
          ))}
        </ul>
      ) : (
        <Panel className="mt-5">
          <EmptyState art="calm" title={title} className="py-16!" text={text} />
        </Panel>
      )}
      <CursorNav after={after} next={next === null ? null : String(next)} hrefOf={(after) => listPath(path, { list: chosen, after })} />
    </>
  );
}

function tilesOf(counts: EmailCounts) {
  const all = counts.waiting + counts.failed + counts.sent;
  return [
    { label: "Total", value: fullCount(all), icon: Mail },
    { label: "Waiting", value: fullCount(counts.waiting), icon: Clock },
    { label: "Failed", value: fullCount(counts.failed), icon: TriangleAlert },
    { label: "Sent this week", value: fullCount(counts.sent), icon: CircleCheck },
  ];
}
