import { Form, useNavigation } from "react-router";
import { FormError } from "#app/admin/shell/form-error.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { revalidateAfterOwnForms } from "#app/forms/revalidate-after-own-forms.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { respondToForm } from "#app/shell/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Field, TextArea, TextInput } from "#app/ui/field.tsx";
import { Download, Upload } from "#app/ui/icons.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { dateAndTime } from "#domain/dates.ts";
import { fullCount, pluralize } from "#domain/format.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { type IssueChanged, type IssueText, issueLimits, issueTexts } from "#domain/newsletter/issue.ts";
import { changeSchedule, editIssue, listIssues, readNextIssue, sendTestIssue } from "#domain/newsletter/issues.server.ts";
import { importSubscribers } from "#domain/newsletter/subscriber-files.server.ts";
import { detailsOf } from "#domain/refusals.ts";
import type { Site, Viewer } from "#domain/site.ts";
import type { Route } from "./+types/newsletter-page.ts";
import { IssueTable, Preview, ScheduleForm } from "./newsletter-parts.tsx";

const path = "/admin/emails/newsletter";

export async function loader({ context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const [next, issues] = await Promise.all([readNextIssue(site, viewer), listIssues(site, viewer)]);
  const { newsletterEnabled, newsletterDay, newsletterHour } = site.settings;
  return { ...next, issues, schedule: { newsletterEnabled, newsletterDay, newsletterHour } };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, formLimits.text);
  try {
    const text = await run(context.get(siteContext), context.get(viewerContext), form);
    return redirectWithToast(path, { tone: "success", text });
  } catch (error) {
    const csv = String(form.get("csv") ?? "");
    const typed = form.get("do") === "save" ? issueTextIn(form) : undefined;
    const seen = detailsOf<IssueChanged>(error, "issue-changed") ?? (typed && issueTextIn(form, "seen-"));
    return respondToForm(error, ({ field, message }) => ({ error: message, csv: field === "csv" ? csv : undefined, typed, seen }), [
      "not-allowed",
    ]);
  }
}

function textIn(form: FormData, name: string): string {
  return String(form.get(name) ?? "").replaceAll("\r\n", "\n");
}

/** `prefix`: of the fields with the text that was edited. */
function issueTextIn(form: FormData, prefix = ""): IssueText {
  return { subject: textIn(form, `${prefix}subject`), introduction: textIn(form, `${prefix}introduction`) };
}

async function run(site: Site, viewer: Viewer, form: FormData): Promise<string> {
  const text = (name: string) => textIn(form, name);
  const week = Number(text("week"));
  switch (text("do")) {
    case "schedule": {
      const [newsletterDay, newsletterHour] = [Number(text("day")), Number(text("hour"))];
      await changeSchedule(site, viewer, { newsletterEnabled: text("enabled") === "on", newsletterDay, newsletterHour });
      return issueTexts.saved;
    }
    case "import": {
      const { added, known, refused } = await importSubscribers(site, viewer, text("csv"));
      return `${pluralize(added, "subscriber")} added, ${fullCount(known)} already subscribed, ${fullCount(refused)} skipped.`;
    }
    case "test":
      await sendTestIssue(site, viewer);
      return issueTexts.tested(viewer?.email ?? "");
    case "save":
      await editIssue(site, viewer, {
        week,
        ...issueTextIn(form),
        seen: form.has("seen-subject") ? issueTextIn(form, "seen-") : undefined,
      });
      return issueTexts.saved;
    default: {
      const skip = text("do") === "skip";
      await editIssue(site, viewer, { week, skip });
      return skip ? issueTexts.skipped : issueTexts.resumed;
    }
  }
}

export const shouldRevalidate = revalidateAfterOwnForms;

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Newsletter" });

export default function NewsletterPage({ loaderData, actionData }: Route.ComponentProps) {
  const { issue, preview, subscribers, issues, schedule } = loaderData;
  const busy = useNavigation().state === "submitting";
  const { typed = issue, seen = issue } = actionData ?? {};
  const isSkipped = issue.state === "skipped";
  return (
    <>
      <PageHead
        title="Newsletter"
        line={`${pluralize(subscribers, "subscriber")}. ${whenNext(loaderData)}`}
        back={{ to: "/admin/emails", label: "Emails" }}
      >
        <ButtonLink to="/admin/emails/newsletter/subscribers" reloadDocument icon={Download}>
          Export subscribers
        </ButtonLink>
      </PageHead>
      <FormError>{actionData?.csv === undefined ? actionData?.error : undefined}</FormError>
      <div className="mt-6 grid items-start gap-6 xl:grid-cols-2">
        <Panel className="p-4 lg:p-5">
          <Form key={`${issue.week} ${issue.subject} ${issue.introduction}`} method="post" className="flex flex-col gap-5" noValidate>
            <input type="hidden" name="week" value={issue.week} />
            <input type="hidden" name="seen-subject" value={seen.subject} />
            <input type="hidden" name="seen-introduction" value={seen.introduction} />
            <Field label="Subject">
              <TextInput
                name="subject"
                defaultValue={typed.subject}
                placeholder={preview?.subject}
                maxLength={issueLimits.subject}
                autoComplete="off"
              />
            </Field>
            <Field label="Introduction" hint="Markdown. Shown before the stories.">
              <TextArea name="introduction" rows={5} defaultValue={typed.introduction} maxLength={issueLimits.introduction} />
            </Field>
            <div className="flex flex-wrap gap-2">
              <Button type="submit" name="do" value="save" variant="primary" busy={busy}>
                Save
              </Button>
              <Button type="submit" name="do" value={isSkipped ? "resume" : "skip"} variant="ghost" busy={busy}>
                {isSkipped ? "Send this week after all" : "Skip this week"}
              </Button>
            </div>
          </Form>
        </Panel>
        <ScheduleForm schedule={schedule} busy={busy} />
      </div>
      <Preview preview={preview} busy={busy} />
      <IssueTable issues={issues} />
      <Panel className="mt-8 p-4 lg:p-5">
        <Form method="post" className="flex flex-col gap-5" noValidate>
          <Field
            label="Import subscribers"
            error={actionData?.csv === undefined ? undefined : actionData.error}
            hint="One per line: email,date of consent. Only import people who agreed to get your newsletter."
          >
            <TextArea name="csv" rows={5} defaultValue={actionData?.csv} placeholder="ana@example.com,2026-03-01" />
          </Field>
          <Button type="submit" name="do" value="import" icon={Upload} busy={busy} className="self-start">
            Import
          </Button>
        </Form>
      </Panel>
    </>
  );
}

function whenNext({ issue, preview, schedule }: Route.ComponentProps["loaderData"]): string {
  const when = dateAndTime(issue.dueAt);
  if (!schedule.newsletterEnabled) return `The newsletter is off. Once it’s on, the next one goes out on ${when}.`;
  if (issue.state === "skipped") return "This week’s newsletter is skipped.";
  if (issue.state !== "planned") return "This week’s newsletter is being sent.";
  if (!preview) return `The next one goes out on ${when} if a story is published by then.`;
  return `The next one goes out on ${when}.`;
}
