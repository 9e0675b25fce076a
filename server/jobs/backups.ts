import { backUpWhenDue, registerBackups } from "#domain/backups/backups.server.ts";
import { sendBackups } from "#domain/backups/offsite.server.ts";
import { stopRuns } from "#domain/backups/runs.server.ts";
import type { Site } from "#domain/site.ts";
import { minutes } from "#platform/time.ts";

/** Makes due backups and sends them off-site. @returns a function that stops this and a running backup. */
export function startBackups(site: Site): () => void {
  const run = async () => {
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
  void registerBackups(site)
    .catch((err) => site.log.warn({ err }, "the backup folder can't be listed"))
    .then(run);
  const timer = setInterval(() => void run(), minutes(1));
  timer.unref();
  return () => {
    clearInterval(timer);
    stopRuns(site);
  };
}
