import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { dropLease, keepLease, postpone, takeLease } from "#domain/jobs/lease.server.ts";
import { minutes } from "#platform/time.ts";
import type { Site } from "../site.ts";
import { fileExists, folderOf } from "./folder.server.ts";
import { runTask } from "./run-task.server.ts";

const job = "offsite";
const retryAfterMs = minutes(15);
const heartbeatMs = 20_000;

/**
 * Sends backups that haven't been sent, newest first, from one process at a time. Pauses after a failure unless `now`. @throws Error for
 * the operator; also stored for the page.
 */
export async function sendBackups(site: Site, { now = false } = {}): Promise<string[]> {
  const { offsite } = site.places;
  const holder = randomUUID();
  if (!offsite || !(await takeLease(site, holder, { job, dueOnly: !now }))) return [];
  const abort = new AbortController();
  site.memory.runs.add(abort);
  const timer = setInterval(() => {
    keepLease(site, holder, job).then(
      (kept) => kept || abort.abort(),
      (err) => site.log.warn({ err }, "the sending of a backup can't be noted"),
    );
  }, heartbeatMs);
  timer.unref();
  try {
    const sent: string[] = [];
    for (const { id, path } of await unsent(site)) {
      try {
        await runTask({ kind: "send", path, offsite, keep: site.settings.backupsKept }, () => {}, abort.signal);
      } catch (error) {
        // The site is closing, or another process holds the lease.
        if (abort.signal.aborted) return sent;
        await note(site, id, { sendError: (error as Error).message });
        await postpone(site, job, site.now() + retryAfterMs);
        throw error;
      }
      await note(site, id, { sentAt: site.now(), sendError: null });
      sent.push(path);
    }
    return sent;
  } finally {
    clearInterval(timer);
    site.memory.runs.delete(abort);
    await dropLease(site, holder, job);
  }
}

/** `s3://bucket/folder`, or null without an off-site target. */
export function offsiteAddress({ places: { offsite } }: Pick<Site, "places">): string | null {
  if (!offsite) return null;
  const { bucket, prefix } = offsite.s3;
  return `s3://${bucket}${prefix && `/${prefix}`}`;
}

async function unsent(site: Site): Promise<{ id: string; path: string }[]> {
  const rows = await site.db
    .selectFrom("upkeep_runs")
    .select(["id", "archive"])
    .where("kind", "=", "backup")
    .where("state", "=", "good")
    .where("sentAt", "is", null)
    .where("archive", "is not", null)
    .orderBy("startedAt", "desc")
    .execute();
  const paths = rows.map(({ id, archive }) => ({ id, path: join(folderOf(site), archive as string) }));
  const here = await Promise.all(paths.map(({ path }) => fileExists(path)));
  return paths.filter((_, index) => here[index]);
}

async function note({ db }: Site, id: string, columns: { sentAt?: number; sendError: string | null }): Promise<void> {
  await db.updateTable("upkeep_runs").set(columns).where("id", "=", id).execute();
}
