import { Form, useNavigation } from "react-router";
import { ReasonField } from "#app/admin/moderation/reason-field.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { keepFormOnNetworkFailure, readTexts, refuseForm } from "#app/forms/refused-form.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { dateAndTime } from "#domain/dates.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { findReport } from "#domain/reports/report-reads.server.ts";
import { type ReportedMessage, readReportedMessages } from "#domain/reports/reported-messages.server.ts";
import type { Route } from "./+types/reported-messages-page.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { id } = await findReport(context.get(siteContext), context.get(viewerContext), params.id);
  return { id };
}

const readValues = (form: FormData) => readTexts(form, ["reason"]);

export async function action({ request, params, context }: Route.ActionArgs) {
  const values = readValues(await readForm(request));
  try {
    return { messages: await readReportedMessages(context.get(siteContext), context.get(viewerContext), params.id, values.reason) };
  } catch (error) {
    return refuseForm(error, values);
  }
}

export const clientAction = keepFormOnNetworkFailure(readValues);

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Reported message" });

export default function ReportedMessagesPage({ loaderData: { id }, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state === "submitting";
  const refused = actionData && "values" in actionData ? actionData : undefined;
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
        <Panel className="mt-6 max-w-2xl p-5 lg:p-6">
          <Form method="post">
            <ReasonField
              label="Why do you need to see this?"
              hint="Recorded in the audit log."
              error={refused?.errors.reason ?? refused?.errors.form}
              defaultValue={refused?.values.reason}
              required
            />
            <Button type="submit" variant="primary" busy={busy} busyLabel="Loading..." className="mt-4">
              Show messages
            </Button>
          </Form>
        </Panel>
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
