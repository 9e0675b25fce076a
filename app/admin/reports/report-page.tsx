import { Form, useNavigation } from "react-router";
import { ModerationHistory } from "#app/admin/moderation/moderation-history.tsx";
import { ReasonField } from "#app/admin/moderation/reason-field.tsx";
import { ChoiceList } from "#app/admin/shell/choice-list.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { handleTextForm } from "#app/forms/handle-text-form.server.ts";
import { type FormErrors, keepFormOnRequestFailure, parseField, readTexts } from "#app/forms/refused-form.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Field, FieldError, TextArea } from "#app/ui/field.tsx";
import { Link } from "#app/ui/link.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { type DecisionInput, decide } from "#domain/moderation/decide.server.ts";
import { type Decision, decisions, decisionsOn, hasRecipient, wouldStayHeld } from "#domain/moderation/decision.ts";
import { answerMaxLength } from "#domain/moderation/moderation-action.ts";
import { Answer, Message, Reason } from "#domain/moderation/moderation-input.ts";
import { listModerationActionsAbout } from "#domain/moderation/notices.server.ts";
import { Invalid } from "#domain/refusals.ts";
import type { QueueKind } from "#domain/reports/report.ts";
import { findReport } from "#domain/reports/report-reads.server.ts";
import { ownCaseText } from "#domain/staff/own-case-text.ts";
import type { Route } from "./+types/report-page.ts";
import { ReportFacts } from "./report-item.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const report = await findReport(site, viewer, params.id);
  return { report, moderationActions: await listModerationActionsAbout(site, viewer, report) };
}

type Values = Record<"decision" | "reason" | "answer", string>;
const readValues = (form: FormData): Values => readTexts(form, ["decision", "reason", "answer"]);

export function action({ params, ...args }: Route.ActionArgs) {
  return handleTextForm(args, readValues, async (values, site, viewer) => {
    const input = parseDecision(values);
    await decide(site, viewer, params.id, input);
    return redirectWithToast("/admin/reports", { tone: "success", text: decisions[input.decision].done });
  });
}

function parseDecision({ decision, reason, answer }: Values): DecisionInput {
  if (!isDecision(decision)) throw new Invalid("Choose an action", "decision");
  const { needs } = decisions[decision];
  if (needs === "reason") parseField(Reason, reason, "reason");
  parseField(needs === "answer" ? Answer : Message, answer, "answer");
  return { decision, reason: reason.trim(), answer: answer.trim() };
}

function isDecision(text: string): text is Decision {
  return Object.hasOwn(decisions, text);
}

export const clientAction = keepFormOnRequestFailure(readValues);

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(matches, { title: loaderData?.report.kind === "appeal" ? "Appeal" : "Report" });

export default function ReportPage({ loaderData: { report, moderationActions }, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction === `/admin/reports/${report.id}`;
  const possible = report.isOwnCase ? [] : decisionsOn(report);
  const isAppeal = report.kind === "appeal";
  const values = actionData?.values;
  const errors: FormErrors<Values> = actionData?.errors ?? {};
  const decisionError = errors.decision ?? errors.form;
  return (
    <>
      <PageHead title={isAppeal ? "Appeal" : "Report"} back={{ to: "/admin/reports", label: "Reports" }} />
      <Panel className="mt-6 p-4 lg:p-5">
        <ReportFacts report={report} whole />
      </Panel>
      {report.isOwnCase && <p className="mt-6 text-base">{ownCaseText}</p>}
      {possible.length > 0 && (
        <Form method="post" className="group/decide mt-8 flex max-w-[720px] flex-col gap-5">
          <h2 className="display text-t2">Decide</h2>
          {wouldStayHeld(report) && (
            <p className="-mt-3 text-base text-ink-2">
              This story is held: only its author and the staff can see it. Decide what to do with it.
            </p>
          )}
          <div>
            <ChoiceList
              name="decision"
              legend="Action"
              chosen={values?.decision}
              choices={possible.map((value) => ({ value, ...decisions[value] }))}
            />
            {decisionError && <FieldError>{decisionError}</FieldError>}
          </div>
          <div className="hidden group-has-[[data-needs=reason]:checked]/decide:block">
            <ReasonField hint={reasonHints[report.kind]} error={errors.reason} defaultValue={values?.reason} />
          </div>
          {hasRecipient(report) && (
            <Field
              label={isAppeal ? "Answer" : "Message to the reporter"}
              hint={
                isAppeal
                  ? "The member sees this in their notifications and by email."
                  : "Optional. If you leave this empty, we only tell them whether we took action."
              }
              error={errors.answer}
            >
              <TextArea name="answer" rows={3} maxLength={answerMaxLength} required={isAppeal} defaultValue={values?.answer} />
            </Field>
          )}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
              Submit decision
            </Button>
            {report.ownerId && !isAppeal && (
              <ButtonLink to={`/admin/users/${report.ownerId}`} variant="ghost">
                Suspend the member instead
              </ButtonLink>
            )}
          </div>
        </Form>
      )}
      {report.answer && (
        <section className="mt-8">
          <h2 className="display text-t2">Answer</h2>
          <p dir="auto" className="mt-3 whitespace-pre-line text-base [overflow-wrap:anywhere]">
            {report.answer}
          </p>
        </section>
      )}
      <ModerationHistory moderationActions={moderationActions} />
      {isAppeal && report.ownerId && (
        <p className="mt-6 text-base">
          <Link to={`/admin/users/${report.ownerId}`} className="font-medium underline underline-offset-4">
            View member
          </Link>
        </p>
      )}
    </>
  );
}

const reasonHints: Record<QueueKind, string> = {
  post: "The author sees this in their notifications and by email.",
  profile: "The member sees this in their notifications and by email.",
  message: "Recorded in the audit log.",
  appeal: "",
};
