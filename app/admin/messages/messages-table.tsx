import { type ReactNode, useState } from "react";
import { useModeration } from "#app/admin/moderation/use-moderation.tsx";
import { type Column, ListTable } from "#app/admin/table/list-table.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { IconButton, IconLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { ConfirmDialog } from "#app/ui/dialogs/confirm-dialog.tsx";
import { CheckCheck, Eye, Mail, Paperclip, Trash2 } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { dateAndTime } from "#domain/dates.ts";
import { type AdminMessage, adminMessageTexts } from "#domain/messages/admin-messages.ts";

const columns: Column[] = [
  { label: "Users", className: "w-56" },
  { label: "Message" },
  { label: "Sent", className: "w-32" },
  { label: "Status", className: "w-28" },
];
const actionsColumn: Column = { label: "Actions", align: "right", className: "w-28" };

type RowProps = { message: AdminMessage; onDelete: () => void };

export function MessagesTable({ messages, children }: { messages: AdminMessage[]; children?: ReactNode }) {
  const { moderate, busy } = useModeration("/admin/messages");
  const [deleting, setDeleting] = useState<AdminMessage | null>(null);
  const rows = messages.map((message) => ({ message, onDelete: () => setDeleting(message) }));
  return (
    <div className="mt-4 overflow-hidden rounded-lg border border-line bg-raised" aria-busy={busy}>
      <ListTable
        caption="Messages"
        columns={columns}
        actions={actionsColumn}
        hasFixedWidths
        rows={rows.map((row) => <MessageRow key={row.message.id} {...row} />)}
        items={rows.map((row) => <MessageItem key={row.message.id} {...row} />)}
      />
      {children}
      <ConfirmDialog
        open={deleting !== null}
        onOpenChange={(open) => !open && setDeleting(null)}
        title={adminMessageTexts.question}
        text={adminMessageTexts.consequence}
        confirmLabel="Delete"
        onConfirm={() => deleting && void moderate({ id: deleting.id })}
      />
    </div>
  );
}

function MessageRow({ message, onDelete }: RowProps) {
  const [date, time] = sentAt(message.createdAt);
  return (
    <tr className="border-b border-line last:border-0">
      <td className="py-2.5 pr-3 pl-5">
        <People message={message} />
      </td>
      <td className="px-3">
        <Text message={message} />
      </td>
      <td className="num px-3 text-sm whitespace-nowrap text-ink-2">
        {date}
        <br />
        {time}
      </td>
      <td className="px-3">
        <ReadBadge isRead={message.isRead} />
      </td>
      <td className="pr-4 pl-3">
        <div className="flex justify-end gap-1">
          <Actions message={message} onDelete={onDelete} />
        </div>
      </td>
    </tr>
  );
}

function MessageItem({ message, onDelete }: RowProps) {
  return (
    <li className="border-b border-line p-4 last:border-0">
      <div className="flex items-start justify-between gap-3">
        <People message={message} />
        <ReadBadge isRead={message.isRead} />
      </div>
      <div className="mt-2">
        <Text message={message} />
      </div>
      <div className="mt-1 flex items-center justify-between gap-3">
        <span className="num text-sm text-ink-2">{sentAt(message.createdAt).join(" ")}</span>
        <span className="flex gap-1">
          <Actions message={message} onDelete={onDelete} />
        </span>
      </div>
    </li>
  );
}

/** `Nov 20, 2026` and `9:42 AM`, in UTC. */
function sentAt(time: number): [string, string] {
  const match = /^(.+), (\S+\s\S+) UTC$/.exec(dateAndTime(time));
  return [match?.[1] ?? "", match?.[2] ?? ""];
}

function People({ message: { senderId, senderName, receiverId, receiverName } }: { message: AdminMessage }) {
  return (
    <div className="min-w-0 leading-6">
      <Person id={senderId} name={senderName} />
      <p className="flex min-w-0 gap-1.5 text-ink-2">
        to <Person id={receiverId} name={receiverName} />
      </p>
    </div>
  );
}

function Person({ id, name }: { id: string; name: string | null }) {
  return (
    <Link
      to={`/admin/messages?user=${encodeURIComponent(id)}`}
      title={id}
      className={classNames("block min-w-0 truncate hover:text-accent-ink", name === null ? "font-mono text-sm" : "font-medium text-ink")}
    >
      {name ?? id}
    </Link>
  );
}

function Text({ message: { text, fileName } }: { message: AdminMessage }) {
  return (
    <>
      <p dir="auto" className="truncate max-lg:whitespace-normal max-lg:[overflow-wrap:anywhere]">
        {text}
      </p>
      {fileName && (
        <p className="flex items-center gap-1.5 text-sm text-ink-2">
          <Paperclip aria-hidden className="size-3.5 shrink-0" />
          <span className="truncate">{fileName}</span>
        </p>
      )}
    </>
  );
}

export function ReadBadge({ isRead }: { isRead: boolean }) {
  return isRead ? (
    <Badge icon={CheckCheck}>Read</Badge>
  ) : (
    <Badge tone="accent" icon={Mail}>
      Unread
    </Badge>
  );
}

/** Without JavaScript both open the message’s page, which asks before deleting. */
function Actions({ message: { id, senderName, createdAt }, onDelete }: RowProps) {
  const about = `from ${senderName ?? "a deleted member"}, ${dateAndTime(createdAt)}`;
  const path = `/admin/messages/${id}`;
  return (
    <>
      <IconLink label={`View details: message ${about}`} icon={Eye} size="sm" to={path} />
      {useHydrated() ? (
        <IconButton label={`Delete message ${about}`} icon={Trash2} size="sm" className="text-danger!" onClick={onDelete} />
      ) : (
        <IconLink label={`Delete message ${about}`} icon={Trash2} size="sm" to={path} className="text-danger!" />
      )}
    </>
  );
}
