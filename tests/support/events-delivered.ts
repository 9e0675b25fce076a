import { randomUUID } from "node:crypto";
import type { Site } from "#domain/site.ts";
import { publish } from "./publish.ts";

/** Returns when this process has delivered all committed events: later listeners receive none of them. */
export async function eventsDelivered(site: Site): Promise<void> {
  const topic = `delivered:${randomUUID()}`;
  const delivered = Promise.withResolvers<void>();
  const unsubscribe = site.events.subscribe(topic, () => delivered.resolve());
  await publish(site, { topic, type: "mark" });
  await delivered.promise;
  unsubscribe();
}
