import type { ReactNode } from "react";
import { Form, useFetcher } from "react-router";
import { NoticeState } from "#app/notices/notice-state.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { IconButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import type { Icon } from "#app/ui/icon.ts";
import { Bookmark, BookOpen, Check, Flag, Heart, MessageCircle, Scale, UserPlus } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import { describe, headingOf, isNew, type NotificationEntry, targetOf } from "#domain/notification-channels/entry.ts";
import type { NotificationKind } from "#domain/notifications/kinds.ts";

const icons: Record<NotificationKind, Icon> = {
  follower: UserPlus,
  like: Heart,
  bookmark: Bookmark,
  story: BookOpen,
  message: MessageCircle,
  decision: Scale,
  answer: Flag,
};

/** `here`: the URL of the page, to which marking returns. */
type ItemProps = { entry: NotificationEntry; now: number; here: string };

export function NotificationItem({ entry, now, here }: ItemProps) {
  const { isRead, at } = entry;
  return (
    <li className="group relative flex items-start gap-3.5 py-4">
      <EntryAvatar entry={entry} />
      <div className="min-w-0 flex-1">
        <p className={classNames("text-base [overflow-wrap:anywhere]", isRead && "text-ink-2")}>
          <EntryLink entry={entry}>{sentence(entry)}</EntryLink>
        </p>
        <Details entry={entry} now={now} />
        <p className="mt-1 flex items-center gap-2 text-sm text-ink-3">
          <TimeAgo time={at} now={now} />
          {isNew(entry) && <Badge tone="accent">New</Badge>}
        </p>
      </div>
      {isNew(entry) && (
        <Form method="post" action={here} preventScrollReset className="relative">
          <input type="hidden" name="id" value={entry.id} />
          <IconButton type="submit" label="Mark as read" icon={Check} />
        </Form>
      )}
    </li>
  );
}

function sentence(entry: NotificationEntry): ReactNode {
  const heading = headingOf(entry);
  if (heading !== undefined) return <span className="font-semibold">{heading}</span>;
  return describe(entry).map(({ text, isName }) =>
    isName ? (
      <strong key={text} className="font-semibold">
        {text}
      </strong>
    ) : (
      text
    ),
  );
}

/** Following the link marks the notification as read. Without JavaScript there is a button. */
function EntryLink({ entry, children }: { entry: NotificationEntry; children: ReactNode }) {
  const { submit } = useFetcher();
  const to = targetOf(entry);
  if (to === undefined) return children;
  const mark = () => {
    if (!isNew(entry)) return;
    void submit({ id: entry.id, scripted: "yes" }, { method: "post", action: "/notifications" });
  };
  return (
    <Link to={to} onClick={mark} className="stretched decoration-accent-line underline-offset-4 group-hover:underline">
      {children}
    </Link>
  );
}

function Details({ entry, now }: { entry: NotificationEntry; now: number }) {
  if (entry.kind === "decision")
    return (
      <p className="mt-1 flex flex-wrap items-center gap-2 text-base text-ink-2">
        {entry.notice.postId && <span className="min-w-0 truncate">{entry.notice.title}</span>}
        <NoticeState notice={entry.notice} now={now} />
      </p>
    );
  if (entry.kind !== "answer") return null;
  const { kind, excerpt, answer } = entry.report;
  return (
    <>
      {kind !== "appeal" && excerpt && <p className="mt-1 line-clamp-2 text-base text-ink-2 [overflow-wrap:anywhere]">{excerpt}</p>}
      <p className="mt-2 whitespace-pre-line text-base [overflow-wrap:anywhere]">{answer}</p>
    </>
  );
}

function personOf(entry: NotificationEntry) {
  if (entry.kind === "story") return entry.author;
  if (entry.kind === "message") return entry.partner;
  return "people" in entry ? entry.people[0] : undefined;
}

function EntryAvatar({ entry }: { entry: NotificationEntry }) {
  const person = personOf(entry);
  const KindIcon = icons[entry.kind];
  const kindIcon = (
    <span
      aria-hidden
      className={classNames(
        "inline-flex items-center justify-center rounded-full",
        person ? "absolute -right-1 -bottom-1 size-5 border-2 border-paper bg-accent-soft text-accent-ink" : "size-10 bg-sunken text-ink-2",
      )}
    >
      <KindIcon className={person ? "size-2.5" : "size-[18px]"} />
    </span>
  );
  return (
    <span className="relative mt-0.5 shrink-0">
      {person && <Avatar {...person} size={40} />}
      {kindIcon}
    </span>
  );
}
