import { useEffect, useSyncExternalStore } from "react";
import { ownConnection } from "#app/live/use-live.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { messageTexts } from "#domain/messages/message.ts";
import { Outbox, type Outcome, type Outgoing } from "./outbox.ts";

let outbox: { person: string; box: Outbox } | undefined;

/** The person's queue; only in the browser. */
export function ownOutbox(person: string): Outbox {
  if (outbox?.person === person) return outbox.box;
  const box = new Outbox({ person, storage: window.localStorage, deliver, onFailure });
  window.addEventListener("storage", () => box.reload());
  window.addEventListener("online", () => box.flush());
  ownConnection().watch(() => ownConnection().state === "open" && box.flush());
  outbox = { person, box };
  return box;
}

function onFailure(): void {
  showToast({ tone: "error", text: messageTexts.sendFailed });
}

async function deliver({ to, text, sendId }: Outgoing): Promise<Outcome> {
  if (ownConnection().state === "open") {
    const answer = await ownConnection().post({ to, text, sendId });
    return "sent" in answer ? answer : { refused: answer.unsent };
  }
  const answer = await fetch(`/messages/${to}/send`, { method: "POST", body: new URLSearchParams({ text, sendId }) });
  const body = await answer.json();
  return answer.ok ? { sent: body } : { refused: body };
}

export function useOutboxInBackground(person: string | undefined): void {
  useEffect(() => {
    if (person) ownOutbox(person).flush();
  }, [person]);
}

const nothing: readonly Outgoing[] = [];

export function useOutgoing(person: string): readonly Outgoing[] {
  return useSyncExternalStore(
    (changed) => ownOutbox(person).listen(changed),
    () => ownOutbox(person).items,
    () => nothing,
  );
}
