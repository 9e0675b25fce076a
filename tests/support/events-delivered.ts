import { randomUUID } from "node:crypto";
import type { Site } from "#domain/site.ts";
import { publish } from "./publish.ts";

/** Returns when this process has delivered all committed events: later listeners receive none of them. */
export async function eventsDelivered(site: Site): Promise<void> {
  const topic = `handed-on:${randomUUID()}`;
  const heard = Promise.withResolvers<void>();
  const leave = site.events.subscribe(topic, () => heard.resolve());
  await publish(site, { topic, type: "mark" });
  await heard.promise;
  leave();
}
