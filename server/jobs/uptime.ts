import { markUp } from "#domain/dashboard/uptime.server.ts";
import type { Site } from "#domain/site.ts";
import { minutes } from "#platform/time.ts";

/** Notes every minute that the site is there, which the administrators' uptime is made of. @returns what ends it. */
export function markUpRegularly(site: Site): () => void {
  const mark = () => void markUp(site).catch((err) => site.log.warn({ err }, "this minute's uptime was not saved"));
  mark();
  const timer = setInterval(mark, minutes(1));
  timer.unref();
  return () => clearInterval(timer);
}
