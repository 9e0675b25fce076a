import { useEffect, useSyncExternalStore } from "react";
import { showToast } from "#app/shell/toasts.tsx";
import { messageTexts } from "#domain/messages/message.ts";
import { type Outgoing, ownMessageQueue } from "./message-queue.ts";

export function useMessageQueueInBackground(person: string | undefined): void {
  useEffect(() => {
    if (!person) return;
    const queue = ownMessageQueue(person);
    queue.flush();
    return queue.onFailure(() => showToast({ tone: "error", text: messageTexts.sendFailed }));
  }, [person]);
}

const nothing: readonly Outgoing[] = [];

export function useOutgoing(person: string): readonly Outgoing[] {
  return useSyncExternalStore(
    (changed) => ownMessageQueue(person).listen(changed),
    () => ownMessageQueue(person).items,
    () => nothing,
  );
}
