import { data, Form, useNavigation } from "react-router";
import { ReasonField } from "#app/admin/moderation/reason-field.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { connectionLost } from "#app/shell/closed.ts";
import { orNetworkFailure } from "#app/shell/or-lost.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { answerForm } from "#app/shell/refusals.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { dateAndTime } from "#domain/dates.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { findReport } from "#domain/reports/report-reads.server.ts";
import { type ReportedMessage, readReported } from "#domain/reports/reported-messages.server.ts";
import type { Route } from "./+types/reported-messages-page.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { id } = await findReport(context.get(siteContext), context.get(viewerContext), params.id);
  return { id };
}

type Answer = { messages: ReportedMessage[] | null; reason: string; error?: string };

export async function action({ request, params, context }: Route.ActionArgs) {
  const reason = String((await readForm(request)).get("reason") ?? "");
  try {
    const messages = await readReported(context.get(siteContext), context.get(viewerContext), params.id, reason);
    return data<Answer>({ messages, reason });
  } catch (error) {
    return answerForm<Answer>(error, ({ message }) => ({ messages: null, reason, error: message }));
  }
}

/** Without a connection what was typed stays. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const reason = String((await request.clone().formData()).get("reason") ?? "");
  return orNetworkFailure(serverAction, { messages: null, reason, error: connectionLost } satisfies Answer);
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Reported message" });

export default function ReportedMessagesPage({ loaderData: { id }, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state === "submitting";
  return (
    <>
      <PageHead
        title="Reported message"
        line="The message and the ten around it. Your view and its reason are recorded in the audit log."
        back={{ to: `/admin/reports/${id}`, label: "Report" }}
      />
      {actionData?.messages ? (
        <Conversation messages={actionData.messages} />
      ) : (
        <Panel className="mt-6 max-w-2xl p-5 lg:p-6">
          <Form method="post">
            <ReasonField
              label="Why do you need to see this?"
              hint="Recorded in the audit log."
              error={actionData?.error}
              defaultValue={actionData?.reason}
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
            {message.isDeleted && <Badge>Deleted since</Badge>}
          </p>
          <p dir="auto" className="mt-1 text-base whitespace-pre-line [overflow-wrap:anywhere]">
            {message.text || message.fileName}
          </p>
        </li>
      ))}
    </ol>
  );
}
