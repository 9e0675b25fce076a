import { Facts } from "#app/admin/shell/facts.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { ConfirmFormDialog } from "#app/ui/dialogs/confirm-form-dialog.tsx";
import { ConfirmPage } from "#app/ui/dialogs/confirm-page.tsx";
import { Download, Paperclip, Trash2 } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { dateAndTime } from "#domain/dates.ts";
import { fullCount, sizeText } from "#domain/format.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { readMessage } from "#domain/messages/admin-messages.server.ts";
import { type AdminMessageDetails, adminMessageTexts } from "#domain/messages/admin-messages.ts";
import type { Route } from "./+types/message-page.ts";
import { removeMessage } from "./messages-action.server.ts";
import { ReadBadge } from "./messages-table.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  return { message: await readMessage(context.get(siteContext), context.get(viewerContext), params.messageId) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request);
  if (form.get("confirmed") !== "yes") return { ask: true };
  return removeMessage(context.get(siteContext), context.get(viewerContext), request, form);
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Message" });

export default function MessagePage({ loaderData: { message }, actionData }: Route.ComponentProps) {
  const path = `/admin/messages/${message.id}`;
  const question = { title: adminMessageTexts.question, confirmLabel: "Delete", danger: true, fields: { id: message.id } };
  if (actionData && "ask" in actionData)
    return <ConfirmPage {...question} subject={message.text} text={adminMessageTexts.consequence} cancel={path} />;
  return (
    <>
      <PageHead
        title="Message"
        line="Opening this message is recorded in the audit log. So is downloading its file."
        back={{ to: "/admin/messages", label: "Messages" }}
      >
        <ConfirmFormDialog
          button={{ variant: "danger", icon: Trash2, children: "Delete" }}
          {...question}
          text={adminMessageTexts.consequence}
          action={path}
          failed={adminMessageTexts.deleteFailed}
        />
      </PageHead>
      <Facts
        facts={{
          From: <Person id={message.senderId} name={message.senderName} />,
          To: <Person id={message.receiverId} name={message.receiverName} />,
          Sent: dateAndTime(message.createdAt),
          Status: <ReadBadge isRead={message.isRead} />,
          "Message ID": <span className="font-mono text-sm">{message.id}</span>,
          "Position in conversation": fullCount(message.number),
        }}
      >
        <p dir="auto" className="mt-6 border-t border-line pt-5 font-reading text-md whitespace-pre-line [overflow-wrap:anywhere]">
          {message.text}
        </p>
        {message.file && <Attachment file={message.file} />}
      </Facts>
    </>
  );
}

function Person({ id, name }: { id: string; name: string | null }) {
  return (
    <>
      <Link to={`/profile/${id}`} className="font-medium hover:text-accent-ink">
        {name ?? "Deleted member"}
      </Link>
      <span className="block font-mono text-sm text-ink-2">{id}</span>
    </>
  );
}

function Attachment({ file }: { file: NonNullable<AdminMessageDetails["file"]> }) {
  return (
    <p className="mt-5 flex flex-wrap items-center gap-3 border-t border-line pt-5">
      <Paperclip aria-hidden className="size-4 shrink-0 text-ink-3" />
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {file.name} <span className="num text-sm text-ink-2">{sizeText(file.size)}</span>
      </span>
      <ButtonLink to={`/files/${file.id}?download`} reloadDocument icon={Download} size="sm">
        Download
      </ButtonLink>
    </p>
  );
}
