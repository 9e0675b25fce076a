import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { checkDatabase } from "#domain/backups/check-database.server.ts";
import type { Site } from "#domain/site.ts";
import { readAllCounters } from "./counters.ts";
import { checkPosts } from "./crash.ts";

/** @throws Error for a damaged database, wrong counters, and files and rows that don't match. */
export async function checkConsistency(site: Site, dataDir: string): Promise<void> {
  const { problems } = await checkDatabase(site.storageConfig, () => {});
  if (problems.length > 0) throw new Error(problems.join("; "));
  const { stored, counted } = await readAllCounters(site);
  if (!isDeepStrictEqual(stored, counted)) throw new Error(`counters ${JSON.stringify(stored)} instead of ${JSON.stringify(counted)}`);
  const folder = join(dataDir, "files");
  if (!site.storageConfig.s3)
    await checkPosts(site, () => (existsSync(folder) ? readdirSync(folder).filter((name) => name !== "probe") : []));
}
