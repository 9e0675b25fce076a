import type { Site } from "../site.ts";
import type { Message } from "./message.ts";

const freshMessageMs = 30_000;

/**
 * What this process has just sent, so that whoever learns of it here gets it at once instead of asking. Only a shortcut:
 * what is not found is fetched, as everything is that another process has sent.
 */
export function rememberFresh({ memory, now }: Site, message: Message): void {
  memory.freshMessages.set(message.id, { message, until: now() + freshMessageMs }, 2 * message.message.length);
}

/** Undefined for what was not sent through this process within the last half minute. */
export function findFresh({ memory, now }: Site, id: string): Message | undefined {
  const found = memory.freshMessages.get(id);
  return found && found.until > now() ? found.message : undefined;
}

/** Deleted ones must not be handed on any more. */
export function forgetFresh({ memory }: Site, ids: string[]): void {
  for (const id of ids) memory.freshMessages.delete(id);
}
