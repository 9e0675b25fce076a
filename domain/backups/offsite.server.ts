import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { acquireLease, postpone, releaseLease, withLease } from "#domain/jobs/lease.server.ts";
import type { OffsiteConfig } from "#platform/files/archive-bucket.ts";
import { minutes } from "#platform/time.ts";
import type { Site } from "../site.ts";
import { backupFolder, fileExists } from "./folder.server.ts";
import { findMostComplete } from "./missing-files.server.ts";
import { runTask } from "./run-task.server.ts";

const job = "offsite";
const retryAfterMs = minutes(15);
const heartbeatMs = 20_000;

/**
 * Sends backups that haven't been sent, newest first, from one process at a time. Pauses after a failure unless `now`. @throws Error for
 * the operator; also stored for the page.
 */
export async function sendBackups(site: Site, { now = false } = {}): Promise<string[]> {
  const { offsite } = site.storageConfig;
  const holder = randomUUID();
  if (!offsite || !(await acquireLease(site, holder, { job, ...(!now && { dueWithinMs: retryAfterMs }) }))) return [];
  try {
    return await withLease(site, holder, { job, renewEveryMs: heartbeatMs }, (signal) => sendUnsent(site, offsite, signal));
  } finally {
    await releaseLease(site, holder, job);
  }
}

async function sendUnsent(site: Site, offsite: OffsiteConfig, signal: AbortSignal): Promise<string[]> {
  const sent: string[] = [];
  const keepAlso = (await findMostComplete(site))?.archive ?? undefined;
  for (const { id, path } of await listUnsent(site)) {
    try {
      await runTask({ kind: "send", path, offsite, keep: site.settings.backupsKept, keepAlso }, () => {}, signal);
    } catch (error) {
      // The site is closing, or another process holds the lease.
      if (signal.aborted) return sent;
      await saveResult(site, id, { sendError: (error as Error).message });
      await postpone(site, job, site.now() + retryAfterMs);
      throw error;
    }
    await saveResult(site, id, { sentAt: site.now(), sendError: null });
    sent.push(path);
  }
  return sent;
}

/** `s3://bucket/folder`, or null without an off-site target. */
export function offsiteUrl({ storageConfig: { offsite } }: Pick<Site, "storageConfig">): string | null {
  if (!offsite) return null;
  const { bucket, prefix } = offsite.s3;
  return `s3://${bucket}${prefix && `/${prefix}`}`;
}

async function listUnsent(site: Site): Promise<{ id: string; path: string }[]> {
  const rows = await site.db
    .selectFrom("backup_runs")
    .select(["id", "archive"])
    .where("kind", "=", "backup")
    .where("state", "=", "good")
    .where("sentAt", "is", null)
    .where("archive", "is not", null)
    .orderBy("startedAt", "desc")
    .execute();
  const paths = rows.map(({ id, archive }) => ({ id, path: join(backupFolder(site), archive as string) }));
  const here = await Promise.all(paths.map(({ path }) => fileExists(path)));
  return paths.filter((_, index) => here[index]);
}

async function saveResult({ db }: Site, id: string, columns: { sentAt?: number; sendError: string | null }): Promise<void> {
  await db.updateTable("backup_runs").set(columns).where("id", "=", id).execute();
}
