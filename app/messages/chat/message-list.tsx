import { Fragment, useCallback, useEffect, useRef, useState } from "react";
import { useNow } from "#app/messages/use-now.ts";
import { ReportDialog } from "#app/reports/report-dialog.tsx";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialogs/confirm-dialog.tsx";
import { Link } from "#app/ui/link.tsx";
import { Spinner } from "#app/ui/spinner.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Partner } from "#domain/messages/chat.server.ts";
import { dayName, type Message } from "#domain/messages/message.ts";
import { minutes } from "#platform/time.ts";
import { MessageBubble, OutgoingBubble, type Question, UploadBubble } from "./bubble.tsx";
import type { ChatLog } from "./chat-log.ts";
import { ownMessageQueue } from "./message-queue.ts";
import type { Chat } from "./use-chat.ts";
import type { Upload } from "./use-uploads.ts";

export type LoadRetry = { retry(): void; isRetrying: boolean };

type MessageListProps = {
  viewerId: string;
  partner: Partner;
  chat: Chat;
  uploads: Upload[];
  loadError: LoadRetry | undefined;
  found: Message[] | undefined;
  term: string;
  /** An older page, opened without JavaScript. */
  isOlderPage: boolean;
  onDelete(message: Message): void;
};

export function MessageList({ viewerId, partner, chat, uploads, loadError, found, term, isOlderPage, onDelete }: MessageListProps) {
  const { log, outgoing } = chat;
  const { now, timeZone } = useNow();
  const box = useRef<HTMLDivElement>(null);
  const shown = found ?? log.messages;
  const pendingCount = found ? 0 : outgoing.length + uploads.length;
  useEffect(() => {
    // Shows what the viewer has just sent.
    if (pendingCount > 0) box.current?.scrollTo({ top: 0 });
  }, [pendingCount]);
  const [dialog, setDialog] = useState<{ question: Question; message: Message } | null>(null);
  const ask = useCallback((question: Question, message: Message) => setDialog({ question, message }), []);
  const isRead = (message: Message) => message.isRead || message.number <= log.partnerRead;
  return (
    <div
      ref={box}
      data-scrolls
      className="flex min-h-0 flex-1 flex-col-reverse overflow-x-hidden overflow-y-auto overscroll-contain bg-chat-bg px-3 pb-4 lg:px-5"
    >
      <div className={`mx-auto w-full max-w-[52rem] ${found ? "mb-auto" : ""}`}>
        {!found && <Older chat={chat} partnerId={partner.id} />}
        {loadError && <NotLoaded {...loadError} />}
        {!found && !loadError && shown.length === 0 && pendingCount === 0 && <Beginning partner={partner} />}
        <Arrivals log={log} partner={partner} />
        <div role="log" aria-label="Messages" aria-live="off">
          {shown.map((message, index) => {
            const [before, after] = [shown[index - 1], shown[index + 1]];
            const day = dayName(message.createdAt, now, timeZone);
            const isNewDay = !before || dayName(before.createdAt, now, timeZone) !== day;
            return (
              <Fragment key={message.number}>
                {isNewDay && <Day name={day} />}
                <MessageBubble
                  message={message}
                  own={message.senderId === viewerId}
                  joined={!isNewDay && joins(before, message)}
                  joinsNext={joins(message, after)}
                  read={isRead(message)}
                  term={term}
                  timeZone={timeZone}
                  onAsk={ask}
                />
              </Fragment>
            );
          })}
          {!found &&
            outgoing.map((item) => (
              <OutgoingBubble
                key={item.sendId}
                item={item}
                timeZone={timeZone}
                onRetry={() => ownMessageQueue(viewerId).retry(item.sendId)}
                onDiscard={() => ownMessageQueue(viewerId).discard(item.sendId)}
              />
            ))}
          {!found && uploads.map((upload) => <UploadBubble key={upload.sendId} upload={upload} />)}
        </div>
        {isOlderPage && (
          <p className="mt-4 text-center">
            <Link to={`/messages/${partner.id}`} className="text-sm font-medium text-chat-in-ink underline">
              Back to the newest messages
            </Link>
          </p>
        )}
        <ConfirmDialog
          open={dialog?.question === "delete"}
          onOpenChange={() => setDialog(null)}
          title="Delete this message?"
          text="This deletes it for both of you. It can’t be undone."
          confirmLabel="Delete"
          onConfirm={() => dialog && onDelete(dialog.message)}
        />
        {dialog?.question === "report" && <ReportDialog kind="message" id={dialog.message.id} open onOpenChange={() => setDialog(null)} />}
      </div>
    </div>
  );
}

/** Read out instead of the log, which also gets older pages and search results. */
function Arrivals({ log, partner }: { log: ChatLog; partner: Partner }) {
  const [opened] = useState(log.seen);
  const arrived = log.messages.filter(({ number, senderId }) => number > opened && senderId === partner.id);
  return (
    <div className="sr-only" aria-live="polite">
      {arrived.slice(-3).map(({ number, message }) => (
        <p key={number}>{`${partner.name}: ${message}`}</p>
      ))}
    </div>
  );
}

const groupWithinMs = minutes(10);

function joins(one: Message | undefined, other: Message | undefined): boolean {
  return one !== undefined && other !== undefined && one.senderId === other.senderId && other.createdAt - one.createdAt < groupWithinMs;
}

function Day({ name }: { name: string }) {
  return (
    <div className="my-4 flex justify-center">
      <span className="num text-xs font-medium text-chat-in-meta">{name}</span>
    </div>
  );
}

function Beginning({ partner }: { partner: Partner }) {
  return <p className="py-10 text-center text-base text-chat-in-meta">This is the beginning of your conversation with {partner.name}.</p>;
}

function NotLoaded({ retry, isRetrying }: LoadRetry) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 py-10 text-center text-base text-chat-in-meta">
      <p>We couldn’t load this conversation. What you write now is kept here and sent later.</p>
      <Button busy={isRetrying} onClick={retry}>
        Try Again
      </Button>
    </div>
  );
}

function Older({ chat: { log, older, loadOlder }, partnerId }: { chat: Chat; partnerId: string }) {
  const mark = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();
  const latest = useRef(loadOlder);
  latest.current = loadOlder;
  const first = log.messages[0]?.number;
  // biome-ignore lint/correctness/useExhaustiveDependencies: observes again after each page, as the mark may still be visible.
  useEffect(() => {
    if (!mark.current) return;
    const early = { root: mark.current.closest("[data-scrolls]"), rootMargin: "600px 0px 0px 0px" };
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), early);
    seen.observe(mark.current);
    return () => seen.disconnect();
  }, [first, log.more]);
  if (!log.more) return null;
  return (
    <div
      ref={mark}
      className="flex min-h-12 flex-wrap items-center justify-center gap-3 text-base text-chat-in-meta [overflow-anchor:none]"
    >
      {older === "loading" && <Spinner label="Loading older messages…" />}
      {older === "failed" && (
        <>
          <p role="alert">We couldn’t load older messages.</p>
          <Button size="sm" onClick={loadOlder}>
            Try again
          </Button>
        </>
      )}
      {!hydrated && (
        <Link to={`/messages/${partnerId}?before=${first}`} className="text-sm font-medium text-chat-in-ink underline">
          Older messages
        </Link>
      )}
    </div>
  );
}
