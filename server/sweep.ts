import { setTimeout as wait } from "node:timers/promises";
import { sweepUnattached } from "#domain/files/files.server.ts";
import type { Site } from "#domain/site.ts";

const hour = 60 * 60 * 1000;
/** How long the start waits for the first sweep. */
const patience = 5_000;

/**
 * Removes what belongs to nothing: now, and then every hour. Beside other processes, and while requests run, only what is
 * so old that no request can still be working on it.
 * @returns what ends it.
 */
export async function sweepRegularly(site: Site): Promise<() => void> {
  const isAlone = site.engine === "sqlite";
  await Promise.race([sweep(site, isAlone ? site.now() : site.now() - hour), wait(patience, undefined, { ref: false })]);
  const timer = setInterval(() => void sweep(site, site.now() - hour), hour);
  timer.unref();
  return () => clearInterval(timer);
}

async function sweep(site: Site, before: number): Promise<void> {
  try {
    await sweepUnattached(site, before);
  } catch (error) {
    site.log.error({ err: error }, "files that belong to nothing could not be swept");
  }
}
