import { Paperclip, SendHorizontal } from "lucide-react";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { ownConnection } from "#app/live/use-live.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Button, IconButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Partner } from "#domain/messages/chat.server.ts";
import { attachmentAccept, messageMax, messageTexts } from "#domain/messages/message.ts";
import { EmojiPicker } from "./emoji-picker.tsx";
import { keepDraft, readDraft } from "./unsent-draft.ts";

type ComposerProps = {
  viewerId: string;
  partner: Partner;
  sendId: string;
  refused: { text: string; error: string } | undefined;
  onSend(text: string): void;
  onFile(file: File): void;
  onUnblock(): void;
};

/** Milliseconds between two words of "is typing". */
const typingEvery = 2_000;

/** Enter sends, Shift+Enter begins a line (§2). What is typed is kept in the browser until it is sent. */
export function Composer({ viewerId, partner, sendId, refused, onSend, onFile, onUnblock }: ComposerProps) {
  const hydrated = useHydrated();
  const { features } = useRoot().site;
  const [text, setText] = useState(refused?.text ?? "");
  const input = useRef<HTMLTextAreaElement>(null);
  const typedAt = useRef(0);
  useEffect(() => setText((now) => now || readDraft(viewerId, partner.id)), [viewerId, partner.id]);
  useLayoutEffect(() => {
    const box = input.current;
    if (!box) return;
    box.style.height = "auto";
    if (text !== "") box.style.height = `${Math.min(box.scrollHeight + 2, 160)}px`;
  }, [text]);

  const tooLong = text.trim().length > messageMax;
  const ready = text.trim() !== "" && !tooLong;
  function change(next: string) {
    setText(next);
    keepDraft(viewerId, partner.id, next);
    if (next === "" || Date.now() - typedAt.current < typingEvery) return;
    typedAt.current = Date.now();
    ownConnection().typing(partner.id);
  }
  function send() {
    if (!ready) return;
    onSend(text);
    typedAt.current = 0;
    change("");
    input.current?.focus();
  }
  function onKeyDown(event: KeyboardEvent) {
    // Enter also ends the composing of a character.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || !hydrated) return;
    event.preventDefault();
    send();
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

  if (!features.messages)
    return (
      <p className="shrink-0 border-t border-line bg-paper px-3 py-4 text-center text-base text-ink-2">
        Messages are turned off on this site
      </p>
    );
  if (partner.blocked)
    return (
      <div className="flex shrink-0 flex-wrap items-center justify-center gap-3 border-t border-line bg-paper px-3 py-4 text-base text-ink-2">
        {messageTexts.unblockFirst}
        <Button size="sm" onClick={onUnblock}>
          Unblock
        </Button>
      </div>
    );
  return (
    <Form
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      className="shrink-0 border-t border-line bg-paper px-3 py-3 lg:px-5"
    >
      <input type="hidden" name="sendId" value={sendId} />
      {(tooLong || refused) && (
        <p role="alert" className="mx-auto mb-2 max-w-[52rem] text-sm text-danger">
          {tooLong ? `A message can’t be longer than ${messageMax} characters. This one has ${text.trim().length}.` : refused?.error}
        </p>
      )}
      <div className="mx-auto flex max-w-[52rem] items-end gap-1.5">
        <AttachButton onFile={onFile} />
        <textarea
          ref={input}
          name="text"
          rows={1}
          aria-label="Message"
          placeholder="Type a message..."
          value={text}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const file = event.clipboardData.files[0];
            if (!file) return;
            event.preventDefault();
            onFile(file);
          }}
          className="min-h-11 min-w-0 flex-1 resize-none rounded-md border border-control bg-raised px-3.5 py-2.5 text-base leading-6! text-ink outline-offset-0 placeholder:whitespace-nowrap placeholder:text-ink-3 focus:border-ink focus:outline-2 focus:outline-accent"
        />
        <EmojiPicker onPick={insert} onClose={() => input.current?.focus()} />
        <button
          type="submit"
          aria-label="Send"
          title="Send"
          disabled={hydrated && !ready}
          className={classNames(
            "inline-flex size-11 shrink-0 items-center justify-center rounded-md transition-colors",
            ready || !hydrated ? "bg-accent text-on-accent hover:bg-accent-hover" : "bg-sunken text-ink-3",
          )}
        >
          <SendHorizontal aria-hidden className="size-5" />
        </button>
      </div>
    </Form>
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
