import { days } from "#platform/time.ts";
import type { Site } from "../site.ts";
import type { BackupReport } from "./backup.ts";

/** A lost file would otherwise keep one backup forever. */
const protectedForMs = days(365);

type MostComplete = { id: string; archive: string | null };

/**
 * The newest of the backups that lack the fewest files. Never remove it: later ones may have been made while the store was empty, for
 * example because its disk wasn't mounted.
 */
export async function findMostComplete(site: Site): Promise<MostComplete | undefined> {
  const newestFirst = await selectGood(site)
    .select(["id", "archive"])
    .where("startedAt", ">", site.now() - protectedForMs)
    .execute();
  return newestFirst.toSorted((one, other) => missingIn(one) - missingIn(other))[0];
}

/** Logs it when this good backup lacks more files than the one before it. */
export async function reportMissing(site: Site, id: string, { missing }: BackupReport): Promise<void> {
  const before = await selectGood(site).where("id", "<>", id).limit(1).executeTakeFirst();
  if (missing.count <= (before ? missingIn(before) : 0)) return;
  const err = new Error("the file store lacks files that the database mentions");
  site.log.error({ err, missing }, "a backup is incomplete");
}

function selectGood({ db }: Site) {
  return db
    .selectFrom("backup_runs")
    .select("report")
    .where("kind", "=", "backup")
    .where("state", "=", "good")
    .orderBy("startedAt", "desc")
    .orderBy("id", "desc");
}

/** A backup that was found in the folder has no report and may be complete. */
function missingIn({ report }: { report: string | null }): number {
  return report === null ? 0 : (JSON.parse(report) as BackupReport).missing.count;
}
