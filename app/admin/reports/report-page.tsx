import { data, Form, useNavigation } from "react-router";
import { ModerationHistory } from "#app/admin/moderation/moderation-history.tsx";
import { ReasonField } from "#app/admin/moderation/reason-field.tsx";
import { ChoiceList } from "#app/admin/shell/choice-list.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { connectionLost } from "#app/shell/closed.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { orNetworkFailure } from "#app/shell/or-lost.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { answerForm } from "#app/shell/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Field, FieldError, TextArea } from "#app/ui/field.tsx";
import { Link } from "#app/ui/link.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { readForm } from "#domain/forms/read-form.server.ts";
import { decide } from "#domain/moderation/decide.server.ts";
import { type Decision, decisions, decisionsOn, hasReader, leavesHeld } from "#domain/moderation/decision.ts";
import { answerMaxLength } from "#domain/moderation/moderation-action.ts";
import { Answer, Message, Reason } from "#domain/moderation/moderation-input.ts";
import { listModerationActionsAbout } from "#domain/moderation/notices.server.ts";
import type { QueueKind } from "#domain/reports/report.ts";
import { findReport } from "#domain/reports/report-reads.server.ts";
import type { Site, Viewer } from "#domain/site.ts";
import type { Route } from "./+types/report-page.ts";
import { ReportFacts } from "./report-item.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const report = await findReport(site, viewer, params.id);
  return { report, moderationActions: await listModerationActionsAbout(site, viewer, report) };
}

type FormValues = { decision: string; reason: string; answer: string };
type FormErrors = {
  errors: { decision?: string | undefined; reason?: string | undefined; answer?: string | undefined };
  typed: FormValues;
};

export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const text = (name: string) => String(form.get(name) ?? "");
  const typed = { decision: text("decision"), reason: text("reason"), answer: text("answer") };
  const errors = problemsIn(typed);
  if (errors) return data<FormErrors>({ errors, typed }, { status: 422 });
  const decision = typed.decision as Decision;
  try {
    await settle(context.get(siteContext), context.get(viewerContext), params.id, { ...typed, decision });
  } catch (error) {
    return answerForm<FormErrors>(error, ({ message }) => ({ errors: { decision: message }, typed }));
  }
  throw redirectWithToast("/admin/reports", { tone: "success", text: decisions[decision].done });
}

function problemsIn({ decision, reason, answer }: FormValues): FormErrors["errors"] | undefined {
  if (!Object.hasOwn(decisions, decision)) return { decision: "Choose an action" };
  const { needs } = decisions[decision as Decision];
  const [why, said] = [Reason.safeParse(reason), (needs === "answer" ? Answer : Message).safeParse(answer)];
  if (needs === "reason" && !why.success) return { reason: why.error.issues[0]?.message };
  return said.success ? undefined : { answer: said.error.issues[0]?.message };
}

function settle(site: Site, viewer: Viewer, id: string, { decision, reason, answer }: FormValues & { decision: Decision }): Promise<void> {
  return decide(site, viewer, id, { decision, reason: reason.trim(), answer: answer.trim() });
}

/** Without a connection the form stays as it is. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  const text = (name: string) => String(form.get(name) ?? "");
  const typed = { decision: text("decision"), reason: text("reason"), answer: text("answer") };
  const lost: FormErrors = { errors: { decision: connectionLost }, typed };
  return orNetworkFailure(serverAction, lost);
}

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(matches, { title: loaderData?.report.kind === "appeal" ? "Appeal" : "Report" });

export default function ReportPage({ loaderData: { report, moderationActions }, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction === `/admin/reports/${report.id}`;
  const possible = decisionsOn(report);
  const isAppeal = report.kind === "appeal";
  const { typed, errors = {} } = actionData ?? {};
  return (
    <>
      <PageHead title={isAppeal ? "Appeal" : "Report"} back={{ to: "/admin/reports", label: "Reports" }} />
      <Panel className="mt-6 p-4 lg:p-5">
        <ReportFacts report={report} whole />
      </Panel>
      {possible.length > 0 && (
        <Form method="post" className="group/decide mt-8 flex max-w-[720px] flex-col gap-5">
          <h2 className="display text-t2">Decide</h2>
          {leavesHeld(report) && (
            <p className="-mt-3 text-base text-ink-2">
              This story is held: only its author and the staff can see it. Decide what to do with it.
            </p>
          )}
          <div>
            <ChoiceList
              name="decision"
              legend="Action"
              chosen={typed?.decision}
              choices={possible.map((value) => ({ value, ...decisions[value] }))}
            />
            {errors.decision && <FieldError>{errors.decision}</FieldError>}
          </div>
          {/* Asked for only where somebody reads it. */}
          <div className="hidden group-has-[[data-needs=reason]:checked]/decide:block">
            <ReasonField hint={reasonHints[report.kind]} error={errors.reason} defaultValue={typed?.reason} />
          </div>
          {hasReader(report) && <AnswerField isAppeal={isAppeal} error={errors.answer} defaultValue={typed?.answer} />}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
              Decide
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
          <h2 className="display text-t2">Answered</h2>
          <p className="mt-3 whitespace-pre-line text-base [overflow-wrap:anywhere]">{report.answer}</p>
        </section>
      )}
      <ModerationHistory moderationActions={moderationActions} />
      {isAppeal && report.ownerId && (
        <p className="mt-6 text-base">
          <Link to={`/admin/users/${report.ownerId}`} className="font-medium underline underline-offset-4">
            About this member
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

function AnswerField({ isAppeal, ...rest }: { isAppeal: boolean; error?: string | undefined; defaultValue?: string | undefined }) {
  const { error, defaultValue } = rest;
  return (
    <Field
      label={isAppeal ? "Answer" : "Message to the reporter"}
      hint={
        isAppeal
          ? "The member sees this in their notifications and by email."
          : "Optional. Without one, they are told only whether action was taken."
      }
      error={error}
    >
      <TextArea name="answer" rows={3} maxLength={answerMaxLength} required={isAppeal} defaultValue={defaultValue} />
    </Field>
  );
}
