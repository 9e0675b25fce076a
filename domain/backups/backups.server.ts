import { createHmac } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { claimOnce, isBackingUp, postpone } from "#domain/jobs/lease.server.ts";
import { readManifest } from "#platform/copy/archive.ts";
import { days, hours } from "#platform/time.ts";
import { recordAudit } from "../audit/audit.server.ts";
import { requirePermission } from "../permissions.ts";
import { NotFound } from "../refusals.ts";
import { type Site, transaction, type Viewer } from "../site.ts";
import { type Backup, type BackupReport, backupTexts } from "./backup.ts";
import { emailAboutFailures } from "./failures-email.server.ts";
import { backupFolder, fileExists } from "./folder.server.ts";
import { findMostComplete, reportMissing } from "./missing-files.server.ts";
import { endRun, listRuns, runAndRecord, startRun } from "./runs.server.ts";

/** Also the time from the first start to the first backup. */
const retryAfterMs = hours(1);
const scheduledBackup = "scheduled-backup";
const failuresShownMs = days(30);
const maxListedBackups = 60;

type Progress = (phase: string, done: number) => void;

/** Returns once the backup has started. @throws Conflict if one is running. */
export async function startBackup(site: Site, viewer: Viewer): Promise<string> {
  requirePermission(viewer, "make backups");
  const id = await startRun(site, "backup", { cause: "administrator", userId: viewer.id });
  await transaction(site, (tx) => recordAudit(tx, viewer, { action: "backup.started", subject: `backup:${id}` }));
  void finishBackup(site, id).catch((err) => site.log.error({ err }, "a backup failed"));
  return id;
}

/** @throws Conflict if one is running, Error if it failed. */
export async function makeBackup(
  site: Site,
  cause: "console" | "schedule",
  onProgress?: Progress,
): Promise<{ path: string; report: BackupReport }> {
  return finishBackup(site, await startRun(site, "backup", { cause }), onProgress);
}

/** @throws Error if the backup failed; it is due again in an hour. */
export async function backUpWhenDue(site: Site): Promise<boolean> {
  const every = hours(site.settings.backupEvery);
  if (every === 0) return false;
  if (await isBackingUp(site)) return false;
  const now = site.now();
  // Postponed by the interval only when made: the disk may be full, or the process may be killed.
  const isDue = await transaction(site, (tx) => claimOnce(tx, scheduledBackup, every, Math.min(retryAfterMs, every)));
  if (!isDue) return false;
  await emailAboutFailures(site).catch((err) => site.log.error({ err }, "administrators can't be told that backups fail"));
  await makeBackup(site, "schedule");
  await postpone(site, scheduledBackup, now + every);
  return true;
}

/** Counts only after it was restored to a scratch database and compared. */
async function finishBackup(site: Site, id: string, onProgress?: Progress): Promise<{ path: string; report: BackupReport }> {
  const folder = backupFolder(site);
  const startedAt = site.now();
  const file = `inkstead-${new Date(startedAt).toISOString().slice(0, 19).replaceAll(":", "")}-${id.slice(-4)}.tar`;
  const path = join(folder, file);
  const unfinished = `${path}.unfinished`;
  const scratch = join(folder, "restore-check");
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeUnfinished(folder);
    const { settings, url: siteUrl, storageConfig } = site;
    const about = { site: { name: settings.siteName, url: siteUrl }, secretMark: secretMark(site.secret), madeAt: startedAt };
    const { size, report } = await runAndRecord(
      site,
      id,
      { kind: "backup", storageConfig, path: unfinished, scratch, ...about },
      onProgress,
    );
    await rename(unfinished, path);
    await endRun(site, id, { state: "good", archive: file, size, report });
    await reportMissing(site, id, report)
      .then(() => sweepBackups(site))
      .catch((err) => site.log.error({ err }, "older backups could not be removed"));
    return { path, report };
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    await endRun(site, id, { state: "failed", report: { error: (error as Error).message } }).catch(() => {});
    throw error;
  }
}

/** Left by a crash: this process holds the lease. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name === "restore-check" || /\.tar\.unfinished(\.keys)?$/.test(name))
      await rm(join(folder, name), { recursive: true, force: true });
}

/**
 * Removes backups beyond `backupsKept`, except the most complete. Another machine's backups are removed there; after a year we assume the
 * machine is gone.
 */
export async function sweepBackups(site: Site): Promise<void> {
  const good = await site.db
    .selectFrom("backup_runs")
    .select(["id", "archive", "host", "startedAt"])
    .where("kind", "=", "backup")
    .where("state", "=", "good")
    .orderBy("startedAt", "desc")
    .orderBy("id", "desc")
    .execute();
  const mostComplete = await findMostComplete(site);
  for (const { id, archive, host, startedAt } of good.slice(site.settings.backupsKept)) {
    if (id === mostComplete?.id) continue;
    const path = archive && join(backupFolder(site), archive);
    const isElsewhere = host !== hostname() && !(path && (await fileExists(path)));
    if (isElsewhere && startedAt > site.now() - days(365)) continue;
    if (path) await rm(path, { force: true });
    await site.db.deleteFrom("backup_runs").where("id", "=", id).execute();
  }
  await site.db
    .deleteFrom("backup_runs")
    .where("state", "=", "failed")
    .where("startedAt", "<", site.now() - failuresShownMs)
    .execute();
}

export async function listBackups(site: Site, viewer: Viewer): Promise<Backup[]> {
  requirePermission(viewer, "see the database");
  const runs = await listRuns<BackupReport>(site, "backup", maxListedBackups);
  return Promise.all(
    runs.map(async (run) => ({ ...run, here: run.archive !== null && (await fileExists(join(backupFolder(site), run.archive))) })),
  );
}

/** Recorded in the audit log. @throws NotFound if the file isn't on this machine. */
export async function openBackup(site: Site, viewer: Viewer, id: string): Promise<{ name: string; size: number; stream: Readable }> {
  requirePermission(viewer, "make backups");
  const row = await site.db.selectFrom("backup_runs").select("archive").where("id", "=", id).where("state", "=", "good").executeTakeFirst();
  const path = row?.archive && join(backupFolder(site), row.archive);
  if (!path || !(await fileExists(path))) throw new NotFound(backupTexts.gone);
  const { size } = await stat(path);
  await transaction(site, (tx) => recordAudit(tx, viewer, { action: "backup.downloaded", subject: `backup:${id}` }));
  return { name: row.archive as string, size, stream: createReadStream(path) };
}

/** Lists archives in the folder that the database doesn't know, as after restoring an older state. They aren't restore-tested. */
export async function registerBackups(site: Site): Promise<void> {
  const names = await readdir(backupFolder(site)).catch(() => []);
  const knownRuns = await site.db.selectFrom("backup_runs").select("archive").where("kind", "=", "backup").execute();
  for (const archive of names.filter((name) => isArchive.test(name) && !knownRuns.some((row) => row.archive === name))) {
    const path = join(backupFolder(site), archive);
    const found = await Promise.all([readManifest(path), stat(path)]).catch((err) => {
      site.log.warn({ err, archive }, "an archive can't be read and isn't listed");
    });
    if (!found) continue;
    const [{ madeAt }, { size }] = found;
    const startedAt = new Date(madeAt).getTime();
    const run = { id: `found-${archive}`, kind: "backup", cause: "folder", state: "good", phase: "", done: 0, total: 0 } as const;
    await site.db
      .insertInto("backup_runs")
      .values({ ...run, host: hostname(), archive, size, startedAt, finishedAt: startedAt })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
  }
}

const isArchive = /^inkstead-[\w-]+\.tar$/;

/** Tells whether two secrets are equal without revealing them. */
export function secretMark(secret: string): string {
  return createHmac("sha256", secret).update("which secret a backup belongs to").digest("hex").slice(0, 16);
}
