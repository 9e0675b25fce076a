import type { Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { type RunningServer, startServer } from "./process.ts";

/** Two processes on one PostgreSQL, and the same site in this process. */
export type TwoServers = { first: RunningServer; second: RunningServer; site: Site; close(): Promise<void> };

export async function startTwoServers(chosen: Record<string, string> = {}): Promise<TwoServers> {
  const first = await startServer(chosen, "postgres");
  const { DATABASE_URL = "", SECRET = "" } = first.environment;
  const second = await startServer({ ...chosen, DATABASE_URL, SECRET });
  const site = await openSite(readConfig(first.environment), createLog("silent"));
  return {
    first,
    second,
    site,
    async close() {
      await closeSite(site);
      await second.close();
      await first.close();
    },
  };
}
