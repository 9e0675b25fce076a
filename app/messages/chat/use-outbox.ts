import { useEffect, useSyncExternalStore } from "react";
import { showToast } from "#app/shell/toasts.tsx";
import { messageTexts } from "#domain/messages/message.ts";
import { type Outgoing, ownOutbox } from "./outbox.ts";

export function useOutboxInBackground(person: string | undefined): void {
  useEffect(() => {
    if (!person) return;
    const outbox = ownOutbox(person);
    outbox.flush();
    return outbox.onFailure(() => showToast({ tone: "error", text: messageTexts.sendFailed }));
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
