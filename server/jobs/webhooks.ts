import type { Site } from "#domain/site.ts";
import { seconds } from "#platform/time.ts";

/** Looks every five seconds for deliveries whose next try is due, or that a process which has ended left behind. @returns what ends it. */
export function tellWebhooksRegularly(site: Site): () => void {
  site.webhooks.wake(site);
  const timer = setInterval(() => site.webhooks.wake(site), seconds(5));
  timer.unref();
  return () => clearInterval(timer);
}
