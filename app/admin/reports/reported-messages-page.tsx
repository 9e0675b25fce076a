import { ReasonedForm } from "#app/admin/moderation/reasoned-form.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { handleTextForm } from "#app/forms/handle-text-form.server.ts";
import { keepFormOnRequestFailure, readTexts } from "#app/forms/refused-form.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Badge } from "#app/ui/badge.tsx";
import { dateAndTime } from "#domain/dates.ts";
import { findReport } from "#domain/reports/report-reads.server.ts";
import { type ReportedMessage, readReportedMessages } from "#domain/reports/reported-messages.server.ts";
import type { Route } from "./+types/reported-messages-page.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { id } = await findReport(context.get(siteContext), context.get(viewerContext), params.id);
  return { id };
}

const readValues = (form: FormData) => readTexts(form, ["reason"]);

export function action({ params, ...args }: Route.ActionArgs) {
  return handleTextForm(args, readValues, async ({ reason }, site, viewer) => ({
    messages: await readReportedMessages(site, viewer, params.id, reason),
  }));
}

export const clientAction = keepFormOnRequestFailure(readValues);

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Reported message" });

export default function ReportedMessagesPage({ loaderData: { id }, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Reported message"
        line="The message and the ten around it. Your view and its reason are recorded in the audit log."
        back={{ to: `/admin/reports/${id}`, label: "Report" }}
      />
      {actionData && "messages" in actionData ? (
        <Conversation messages={actionData.messages} />
      ) : (
        <ReasonedForm
          button="Show messages"
          variant="primary"
          busyLabel="Loading..."
          label="Why do you need to see this?"
          hint="Recorded in the audit log."
          refused={actionData}
          className="mt-6 max-w-2xl p-5 lg:p-6"
        />
      )}
    </>
  );
}

function Conversation({ messages }: { messages: ReportedMessage[] }) {
  if (messages.length === 0) return <p className="mt-6 text-base text-ink-2">The message and its conversation were deleted.</p>;
  return (
    <ol className="mt-6 max-w-3xl divide-y divide-line rounded-lg border border-line bg-raised">
      {messages.map((message) => (
        <li key={message.id} className={message.isReported ? "bg-accent-soft px-4 py-3 lg:px-5" : "px-4 py-3 lg:px-5"}>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
            <span className="font-medium text-ink">{message.senderName ?? "Deleted member"}</span>
            <span className="num">{dateAndTime(message.createdAt)}</span>
            {message.isReported && <Badge tone="warning">Reported</Badge>}
            {message.isDeleted && <Badge>Deleted</Badge>}
          </p>
          <p dir="auto" className="mt-1 text-base whitespace-pre-line [overflow-wrap:anywhere]">
            {message.text || message.fileName}
          </p>
        </li>
      ))}
    </ol>
  );
}
