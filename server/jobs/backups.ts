import { adoptBackups, backUpWhenDue } from "#domain/backups/backups.server.ts";
import { sendBackups } from "#domain/backups/offsite.server.ts";
import { stopRuns } from "#domain/backups/runs.server.ts";
import type { Site } from "#domain/site.ts";
import { minutes } from "#platform/time.ts";

/** Looks every minute whether the scheduled backup is due, and whether one is to be sent off-site. @returns what ends that, and a backup that is under way. */
export function backUpRegularly(site: Site): () => void {
  const look = async () => {
    try {
      if (await backUpWhenDue(site)) site.log.info("the scheduled backup was made and restore-tested");
    } catch (err) {
      site.log.error({ err }, "the scheduled backup failed");
    }
    try {
      for (const path of await sendBackups(site)) site.log.info({ path }, "a backup was sent off-site");
    } catch (err) {
      site.log.error({ err }, "a backup couldn't be sent off-site");
    }
  };
  void adoptBackups(site)
    .catch((err) => site.log.warn({ err }, "the backup folder can't be listed"))
    .then(look);
  const timer = setInterval(() => void look(), minutes(1));
  timer.unref();
  return () => {
    clearInterval(timer);
    stopRuns(site);
  };
}
