import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Form } from "react-router";
import { readStored, store } from "#app/browser/stored.ts";
import { pastedFiles } from "#app/forms/pasted-files.ts";
import { ownConnection } from "#app/live/live-connection.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Button, IconButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Paperclip, SendHorizontal } from "#app/ui/icons.tsx";
import { isComposing } from "#app/ui/is-composing.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Partner } from "#domain/messages/chat.server.ts";
import { attachmentAccept, messageMaxLength, messageTexts } from "#domain/messages/message.ts";
import { EmojiPicker } from "./emoji-picker.tsx";
import { ownMessageQueue } from "./message-queue.ts";

type ComposerProps = {
  viewerId: string;
  partner: Partner;
  sendId: string;
  refused: { text: string; error: string } | undefined;
  onFile(file: File): void;
  onUnblock(): void;
};

/** Enter sends, Shift+Enter starts a line (messaging and administration §2). Unsent text is kept in this browser. */
export function Composer({ partner, onUnblock, ...writing }: ComposerProps) {
  const { features } = useRoot().site;
  const hydrated = useHydrated();
  if (!features.messages)
    return <p className="shrink-0 border-t border-line bg-paper px-3 py-4 text-center text-base text-ink-2">{messageTexts.turnedOff}</p>;
  if (partner.blocked)
    return (
      <div className="flex shrink-0 flex-wrap items-center justify-center gap-3 border-t border-line bg-paper px-3 py-4 text-base text-ink-2">
        {messageTexts.unblockFirst}
        <Button size="sm" disabled={!hydrated} onClick={onUnblock}>
          Unblock
        </Button>
      </div>
    );
  return <MessageForm partnerId={partner.id} {...writing} />;
}

type MessageFormProps = Pick<ComposerProps, "viewerId" | "sendId" | "refused" | "onFile"> & { partnerId: string };

function MessageForm({ viewerId, partnerId, sendId, refused, onFile }: MessageFormProps) {
  const hydrated = useHydrated();
  const { text, input, change, clear, insert } = useMessageText(viewerId, partnerId, refused?.text ?? "");
  const tooLong = text.trim().length > messageMaxLength;
  const ready = text.trim() !== "" && !tooLong;
  const focus = () => input.current?.focus();
  useFocusOnOpening(input);
  function send() {
    if (!ready) return;
    ownMessageQueue(viewerId).add(partnerId, text.trim());
    clear();
    focus();
  }
  function onKeyDown(event: KeyboardEvent) {
    // Enter also ends an input method's composition.
    if (event.key !== "Enter" || event.shiftKey || isComposing(event) || !hydrated) return;
    event.preventDefault();
    send();
  }
  function onPaste(event: ClipboardEvent) {
    const [file] = pastedFiles(event.clipboardData);
    if (!file) return;
    event.preventDefault();
    onFile(file);
  }
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    send();
  }
  return (
    <Form method="post" onSubmit={onSubmit} className="shrink-0 border-t border-line bg-paper px-3 py-3 lg:px-5">
      <input type="hidden" name="sendId" value={sendId} />
      <input type="hidden" name="from" value={viewerId} />
      {(tooLong || refused) && (
        <p role="alert" className="mx-auto mb-2 max-w-[52rem] text-sm text-danger">
          {tooLong ? `A message can’t be longer than ${messageMaxLength} characters. This one has ${text.trim().length}.` : refused?.error}
        </p>
      )}
      <div className="mx-auto flex max-w-[52rem] items-end gap-1.5">
        <AttachButton onFile={onFile} />
        <textarea
          ref={input}
          name="text"
          dir="auto"
          rows={1}
          aria-label="Message"
          placeholder="Type a message..."
          value={text}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          className="min-h-11 min-w-0 flex-1 resize-none rounded-md border border-control bg-raised px-3.5 py-2.5 text-base leading-6! text-ink outline-offset-0 placeholder:whitespace-nowrap placeholder:text-ink-3 focus:border-ink focus:outline-2 focus:outline-accent"
        />
        <EmojiPicker onPick={insert} onClose={focus} />
        <SendButton disabled={hydrated && !ready} />
      </div>
    </Form>
  );
}

/** Does nothing on touch screens, where the keyboard would cover the messages. */
function useFocusOnOpening(input: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const focused = document.activeElement;
    const isElsewhere = focused && focused !== document.body && !focused.closest("aside");
    if (!isElsewhere && window.matchMedia("(pointer: fine)").matches) input.current?.focus({ preventScroll: true });
  }, [input]);
}

function SendButton({ disabled }: { disabled: boolean }) {
  return (
    <button
      type="submit"
      aria-label="Send"
      title="Send"
      disabled={disabled}
      className={classNames(
        "inline-flex size-11 shrink-0 items-center justify-center rounded-md transition-[color,background-color,border-color]",
        disabled ? "bg-sunken text-ink-3" : "bg-accent text-on-accent hover:bg-accent-hover",
      )}
    >
      <SendHorizontal aria-hidden className="size-5" />
    </button>
  );
}

function AttachButton({ onFile }: { onFile(file: File): void }) {
  const picker = useRef<HTMLInputElement>(null);
  const hydrated = useHydrated();
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        accept={attachmentAccept}
        aria-label="File"
        onChange={({ target }) => {
          const file = target.files?.[0];
          target.value = "";
          if (file) onFile(file);
        }}
      />
      <IconButton
        label="Attach a file"
        icon={Paperclip}
        disabled={!hydrated}
        onClick={() => picker.current?.click()}
        className="size-11!"
      />
    </>
  );
}

const typingIntervalMs = 2_000;
const inputMaxHeightPx = 160;

type MessageText = {
  text: string;
  input: RefObject<HTMLTextAreaElement | null>;
  change(next: string): void;
  clear(): void;
  insert(emoji: string): void;
};

/** The input's text. Each change is kept in this browser and shown to the partner as typing. */
function useMessageText(viewerId: string, partnerId: string, refusedText: string): MessageText {
  const key = `inkstead:message:${viewerId}:${partnerId}`;
  const [text, setText] = useState(refusedText);
  const input = useRef<HTMLTextAreaElement>(null);
  const typingSentAt = useRef(0);
  useEffect(() => setText((now) => now || (readStored(key) ?? "")), [key]);
  useLayoutEffect(() => fitHeight(input.current, text), [text]);

  function change(next: string) {
    setText(next);
    store(key, next || null);
    if (next === "" || Date.now() - typingSentAt.current < typingIntervalMs) return;
    typingSentAt.current = Date.now();
    ownConnection().typing(partnerId);
  }
  function clear() {
    typingSentAt.current = 0;
    change("");
  }
  function insert(emoji: string) {
    const box = input.current;
    const [start, end] = [box?.selectionStart ?? text.length, box?.selectionEnd ?? text.length];
    change(text.slice(0, start) + emoji + text.slice(end));
    requestAnimationFrame(() => {
      box?.focus();
      box?.setSelectionRange(start + emoji.length, start + emoji.length);
    });
  }
  return { text, input, change, clear, insert };
}

function fitHeight(box: HTMLTextAreaElement | null, text: string): void {
  if (!box) return;
  box.style.height = "auto";
  if (text !== "") box.style.height = `${Math.min(box.scrollHeight + 2, inputMaxHeightPx)}px`;
}
