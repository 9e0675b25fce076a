import type { Site } from "../site.ts";
import type { Message } from "./message.ts";

const maxFreshMessages = 5_000;
/** Milliseconds. */
const freshMessageMs = 30_000;

type FreshMessages = Map<string, { message: Message; until: number }>;
const bySite = new WeakMap<Site["events"], FreshMessages>();

/**
 * What this process has just sent, so that whoever hears of it here gets it at once instead of asking. Only a shortcut:
 * what is not found is fetched, as everything is that another process has sent.
 */
export function rememberFresh({ events, now }: Site, message: Message): void {
  const fresh = bySite.get(events) ?? new Map();
  bySite.set(events, fresh);
  fresh.set(message.id, { message, until: now() + freshMessageMs });
  for (const [id, { until }] of fresh) {
    if (fresh.size <= maxFreshMessages && until > now()) break;
    fresh.delete(id);
  }
}

/** Undefined for what was not sent through this process within the last half minute. */
export function findFresh({ events, now }: Site, id: string): Message | undefined {
  const found = bySite.get(events)?.get(id);
  return found && found.until > now() ? found.message : undefined;
}

/** Deleted ones must not be handed on any more. */
export function forgetFresh({ events }: Site, ids: string[]): void {
  for (const id of ids) bySite.get(events)?.delete(id);
}
