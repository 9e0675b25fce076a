import { randomUUID } from "node:crypto";
import { type Site, transaction } from "#domain/site.ts";

/** Returns when this process has handed on every event that was committed before: who listens from now on hears none of them. */
export async function handedOn(site: Site): Promise<void> {
  const topic = `handed-on:${randomUUID()}`;
  const heard = Promise.withResolvers<void>();
  const leave = site.events.subscribe(topic, () => heard.resolve());
  await transaction(site, async (tx) => tx.publish({ topic, type: "mark", data: {} }));
  await heard.promise;
  leave();
}
