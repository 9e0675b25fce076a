import { randomUUID } from "node:crypto";
import type { Site } from "#domain/site.ts";
import { publish } from "./publish.ts";

/** Returns when this process has handed on every event that was committed before: who listens from now on hears none of them. */
export async function handedOn(site: Site): Promise<void> {
  const topic = `handed-on:${randomUUID()}`;
  const heard = Promise.withResolvers<void>();
  const leave = site.events.subscribe(topic, () => heard.resolve());
  await publish(site, { topic, type: "mark" });
  await heard.promise;
  leave();
}
