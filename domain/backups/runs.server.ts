import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { acquireLease, readHolder, releaseLease, withLease } from "#domain/jobs/lease.server.ts";
import type { BackupRunRow } from "#platform/database/rows/backup-rows.ts";
import { Conflict } from "../refusals.ts";
import { type Site, transaction } from "../site.ts";
import { type Backup, backupTexts, type Run, type RunState } from "./backup.ts";
import { runTask, type Task, type TaskResult } from "./run-task.server.ts";

type Kind = Exclude<Task["kind"], "send">;

const heartbeatMs = 2_000;

type RunStart = { cause: BackupRunRow["cause"]; userId?: string | null };

/** @throws Conflict if any process runs a backup or check. */
export async function startRun(site: Site, kind: Kind, { cause, userId = null }: RunStart): Promise<string> {
  const id = `${site.now().toString(16)}-${randomUUID().slice(0, 8)}`;
  if (!(await acquireLease(site, id))) throw new Conflict(backupTexts.alreadyRunning);
  const finishedAt = site.now();
  // The lease has expired, so its process died.
  await site.db.updateTable("backup_runs").set({ state: "failed", finishedAt }).where("state", "=", "running").execute();
  await site.db
    .insertInto("backup_runs")
    .values({ id, kind, cause, userId, state: "running", phase: "Starting", done: 0, total: 0, host: hostname(), startedAt: site.now() })
    .execute();
  return id;
}

/** Runs the task, saves its progress and renews the lease. @throws Error with the reason, which is also stored. */
export async function runAndRecord<K extends Kind>(
  site: Site,
  id: string,
  task: Extract<Task, { kind: K }>,
  onProgress: (phase: string, done: number) => void = () => {},
): Promise<Extract<TaskResult, { kind: K }>> {
  let progress: { phase: string; done: number; total: number } | undefined;
  const onRenewed = async () => {
    if (progress) await site.db.updateTable("backup_runs").set(progress).where("id", "=", id).execute();
    progress = undefined;
  };
  const reportProgress = (phase: string, done: number, total: number) => {
    progress = { phase, done, total };
    onProgress(phase, done);
  };
  const result = await withLease(site, id, { renewEveryMs: heartbeatMs, onRenewed }, (signal) => runTask(task, reportProgress, signal));
  return result as Extract<TaskResult, { kind: K }>;
}

type RunEnd = { state: "good" | "failed"; archive?: string | null; size?: number | null; report: unknown };

/** In one transaction: when a run is shown as ended, the next one can start. */
export async function endRun(site: Site, id: string, { state, archive = null, size = null, report }: RunEnd): Promise<void> {
  const ended = { state, archive, size, report: JSON.stringify(report), finishedAt: site.now() };
  await transaction(site, async (tx) => {
    await tx.db.updateTable("backup_runs").set(ended).where("id", "=", id).execute();
    await releaseLease(tx, id);
  });
}

export function stopRuns(site: Site): void {
  for (const abort of site.memory.backupRuns) abort.abort();
}

type RetainedBackup = Pick<Backup, "archive" | "sentAt" | "sendError">;

export async function listRuns<Report>(site: Site, kind: Kind, limit: number): Promise<(Run<Report> & RetainedBackup)[]> {
  const [rows, holder] = await Promise.all([
    site.db
      .selectFrom("backup_runs")
      .leftJoin("profiles", "profiles.userId", "backup_runs.userId")
      .selectAll("backup_runs")
      .select("profiles.userName")
      .where("kind", "=", kind)
      .orderBy("backup_runs.startedAt", "desc")
      .orderBy("backup_runs.id", "desc")
      .limit(limit)
      .execute(),
    readHolder(site),
  ]);
  return rows.map(({ kind: _kind, userId: _userId, report, state, ...row }) => {
    const stored = report === null ? null : (JSON.parse(report) as Report & { error?: string });
    const dead = state === "running" ? row.id !== holder : state === "failed" && stored === null;
    const shownState: RunState = dead ? "interrupted" : state;
    return { ...row, state: shownState, report: state === "good" ? stored : null, error: stored?.error ?? null };
  });
}

export async function newestBackupAt({ db }: Pick<Site, "db">, { onlySent = false } = {}): Promise<number | undefined> {
  const newest = db
    .selectFrom("backup_runs")
    .select("startedAt")
    .where("kind", "=", "backup")
    .where("state", "=", "good")
    .$if(onlySent, (query) => query.where("sentAt", "is not", null))
    .orderBy("startedAt", "desc")
    .limit(1);
  return (await newest.executeTakeFirst())?.startedAt;
}
