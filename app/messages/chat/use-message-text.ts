import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ownConnection } from "#app/live/use-live.ts";
import { keepDraft, readDraft } from "./unsent-draft.ts";

const typingIntervalMs = 2_000;
const inputMaxHeightPx = 160;

type MessageText = {
  text: string;
  input: RefObject<HTMLTextAreaElement | null>;
  change(next: string): void;
  clear(): void;
  insert(emoji: string): void;
};

/** The message that is being written to `partnerId`: kept in this browser until it is sent, its typing shown to the other. */
export function useMessageText(viewerId: string, partnerId: string, refusedText: string): MessageText {
  const [text, setText] = useState(refusedText);
  const input = useRef<HTMLTextAreaElement>(null);
  const typingSentAt = useRef(0);
  useEffect(() => setText((now) => now || readDraft(viewerId, partnerId)), [viewerId, partnerId]);
  useLayoutEffect(() => fitHeight(input.current, text), [text]);

  function change(next: string) {
    setText(next);
    keepDraft(viewerId, partnerId, next);
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
