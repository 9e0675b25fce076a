import { memo, type ReactNode } from "react";
import { IconButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Check, CheckCheck, CircleAlert, Clock, EllipsisVertical, Flag, Paperclip, Trash2, X } from "#app/ui/icons.tsx";
import { Menu, MenuItem } from "#app/ui/menu.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { sizeText } from "#domain/format.ts";
import { clockTime, type Message, preview } from "#domain/messages/message.ts";
import { AttachmentCard } from "./attachment-card.tsx";
import type { Outgoing } from "./message-queue.ts";
import { MessageText } from "./message-text.tsx";
import type { Upload } from "./use-uploads.ts";

export type Question = "delete" | "report";

type MessageBubbleProps = {
  message: Message;
  own: boolean;
  joined: boolean;
  joinsNext: boolean;
  read: boolean;
  term: string;
  timeZone: string | undefined;
  onAsk(question: Question, message: Message): void;
};

export const MessageBubble = memo(function MessageBubble({
  message,
  own,
  joined,
  joinsNext,
  read,
  term,
  timeZone,
  onAsk,
}: MessageBubbleProps) {
  const hasText = message.message !== message.file?.name;
  return (
    <Row own={own} joined={joined}>
      {own && <MessageMenu message={message} own onAsk={onAsk} />}
      <Bubble own={own} joined={joined} joinsNext={joinsNext}>
        {message.file && <AttachmentCard file={message.file} own={own} term={term} hasText={hasText} />}
        {hasText && <MessageText text={message.message} term={term} />}
        <Meta own={own}>
          <time dateTime={new Date(message.createdAt).toISOString()}>{clockTime(message.createdAt, timeZone)}</time>
          {own && (read ? <Tick icon={CheckCheck} label="Read" className="text-chat-tick" /> : <Tick icon={Check} label="Sent" />)}
        </Meta>
      </Bubble>
      {!own && <MessageMenu message={message} own={false} onAsk={onAsk} />}
    </Row>
  );
});

type MessageMenuProps = Pick<MessageBubbleProps, "message" | "own" | "onAsk">;

/** Appears on hover and on keyboard focus; on touch screens at the tapped message. */
function MessageMenu({ message, own, onAsk }: MessageMenuProps) {
  const trigger = (
    <IconButton
      label={`Message options: ${preview(message.message)}`}
      icon={EllipsisVertical}
      size="sm"
      disabled={!useHydrated()}
      className="text-chat-in-meta! opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 focus-visible:opacity-100 aria-expanded:opacity-100 hover:bg-black/8! disabled:invisible max-lg:size-11!"
    />
  );
  return (
    <Menu align={own ? "end" : "start"} trigger={trigger}>
      {!own && (
        <MenuItem icon={Flag} onSelect={() => onAsk("report", message)}>
          Report message
        </MenuItem>
      )}
      <MenuItem icon={Trash2} danger onSelect={() => onAsk("delete", message)}>
        Delete message
      </MenuItem>
    </Menu>
  );
}

type OutgoingBubbleProps = { item: Outgoing; timeZone: string | undefined; onRetry(): void; onDiscard(): void };

export function OutgoingBubble({ item: { text, createdAt, failed, delayed }, timeZone, onRetry, onDiscard }: OutgoingBubbleProps) {
  const problem = failed ?? (delayed && "Not sent yet. We’ll keep trying.");
  return (
    <>
      <Row own joined={false}>
        <Bubble own joined={false} joinsNext={false}>
          <MessageText text={text.trim()} />
          <Meta own>
            {clockTime(createdAt, timeZone)}
            {problem === undefined ? (
              <Tick icon={Clock} label="Sending" />
            ) : (
              <Tick icon={CircleAlert} label="Not sent" className="text-chat-tick" />
            )}
          </Meta>
        </Bubble>
      </Row>
      {problem !== undefined && (
        <Problem text={problem}>
          <ProblemButton onClick={onRetry}>Try again</ProblemButton>
          <ProblemButton onClick={onDiscard}>Discard</ProblemButton>
        </Problem>
      )}
    </>
  );
}

function Problem({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="mt-1 flex flex-wrap items-center justify-end gap-x-3 text-xs font-medium text-chat-in-ink">
      <p role="alert">{text}</p>
      {children}
    </div>
  );
}

function ProblemButton({ onClick, children }: { onClick(): void; children: string }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="inline-flex h-9 items-center rounded-sm px-1 underline max-lg:h-11 hover:no-underline"
    >
      {children}
    </button>
  );
}

export function UploadBubble({ upload: { name, size, sent, failed, retry, cancel } }: { upload: Upload }) {
  return (
    <>
      <Row own joined={false}>
        <Bubble own joined={false} joinsNext={false}>
          <span className="flex items-center gap-3">
            <span className="min-w-0 flex-1">
              <span className="flex items-center gap-1 font-medium">
                <Paperclip aria-hidden className="size-3.5 shrink-0" />
                <span className="truncate">{name}</span>
              </span>
              <span className="num text-xs text-chat-out-meta">{sizeText(size)}</span>
            </span>
            <button
              type="button"
              aria-label={failed === undefined ? "Cancel upload" : "Remove"}
              onClick={cancel}
              className="inline-flex size-9 items-center justify-center rounded-md hover:bg-white/14 max-lg:size-11"
            >
              <X aria-hidden className="size-[18px]" />
            </button>
          </span>
          {failed === undefined && (
            <progress
              aria-label={`Sending ${name}`}
              value={sent}
              max={1}
              className="mt-1.5 h-1 w-56 max-w-full bg-white/20 text-chat-tick"
            />
          )}
        </Bubble>
      </Row>
      {failed !== undefined && <Problem text={failed}>{retry && <ProblemButton onClick={retry}>Try again</ProblemButton>}</Problem>}
    </>
  );
}

function Row({ own, joined, children }: { own: boolean; joined: boolean; children: ReactNode }) {
  return <div className={classNames("group flex items-center gap-1", own && "justify-end", joined ? "mt-1" : "mt-3")}>{children}</div>;
}

type BubbleProps = { own: boolean; joined: boolean; joinsNext: boolean; children: ReactNode };

function Bubble({ own, joined, joinsNext, children }: BubbleProps) {
  const corners = own
    ? classNames(!joinsNext && "rounded-br-sm", joined && "rounded-tr-sm")
    : classNames(!joinsNext && "rounded-bl-sm", joined && "rounded-tl-sm");
  return (
    // Focusable: a tap shows the menu.
    <div
      tabIndex={-1}
      className={classNames(
        "min-w-0 max-w-[82%] rounded-xl outline-none px-3.5 py-2 text-base leading-[1.45]! lg:max-w-[30rem]",
        corners,
        own ? "bg-chat-out text-chat-out-ink" : "border border-chat-in-line bg-chat-in text-chat-in-ink",
      )}
    >
      {children}
    </div>
  );
}

function Meta({ own, children }: { own: boolean; children: ReactNode }) {
  return (
    <span
      className={classNames(
        "num float-right mt-[7px] ml-3 inline-flex items-center gap-1 text-2xs whitespace-nowrap",
        own ? "text-chat-out-meta" : "text-chat-in-meta",
      )}
    >
      {children}
    </span>
  );
}

function Tick({ icon: IconComponent, label, className }: { icon: typeof Check; label: string; className?: string }) {
  return (
    <span className={classNames("inline-flex", className)} title={label}>
      <IconComponent aria-hidden className="size-[15px] shrink-0" strokeWidth={2.1} />
      <span className="sr-only">{label}</span>
    </span>
  );
}
