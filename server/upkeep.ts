import { sweepUnattached } from "#domain/files/files.server.ts";
import type { Site } from "#domain/site.ts";

const hour = 60 * 60 * 1000;

/** What has to be done from time to time while the site runs. Returns what ends it. */
export function startUpkeep(site: Site): () => void {
  const timer = setInterval(() => {
    // An upload that is on its way to its story is younger than that.
    sweepUnattached(site, site.now() - hour).catch((err) => site.log.error({ err }, "files could not be swept"));
  }, hour);
  timer.unref();
  return () => clearInterval(timer);
}
