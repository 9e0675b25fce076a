import type { Site } from "#domain/site.ts";
import type { Event } from "#platform/events/event-log.ts";

/** Publishes any events on any topics. */
export async function publish({ db, events, now }: Site, ...published: Event[]): Promise<void> {
  await db.transaction().execute((tx) => events.append(tx, published, now()));
  events.wake();
}
