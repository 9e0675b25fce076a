import type { Site } from "#domain/site.ts";
import { seconds } from "#platform/time.ts";

/** Looks every five seconds for emails whose next try is due, or that a process which has ended left behind. @returns what ends it. */
export function sendOutboxRegularly(site: Site): () => void {
  void site.outbox.wake(site);
  const timer = setInterval(() => void site.outbox.wake(site), seconds(5));
  timer.unref();
  return () => clearInterval(timer);
}
