import type { Engine } from "#platform/database/engine.ts";
import type { BackupRunRow } from "#platform/database/rows/backup-rows.ts";

export type RunState = "running" | "good" | "failed" | "interrupted";

export type BackupReport = {
  tables: Record<string, number>;
  files: { count: number; bytes: number };
  /** Files that the database refers to but the store lacks; `first` has at most ten. */
  missing: { count: number; first: string[] };
  testedOn: Engine;
  testedAt: number;
};

export type CheckReport = { tables: Record<string, number>; problems: string[] };

/** `total` is 0 if unknown. */
export type Run<Report> = Pick<BackupRunRow, "id" | "cause" | "phase" | "done" | "total" | "host" | "size" | "startedAt" | "finishedAt"> & {
  state: RunState;
  userName: string | null;
  report: Report | null;
  error: string | null;
};

/** `here`: the file is on the machine that answered. */
export type Backup = Run<BackupReport> & { archive: string | null; here: boolean; sentAt: number | null; sendError: string | null };
export type Check = Run<CheckReport>;

export const backupTexts = {
  started: "Backup started",
  alreadyRunning: "A backup or check is already running",
  checkStarted: "Check started",
  gone: "This backup is no longer on this machine",
  elsewhere: (host: string) => `It’s on ${host}`,
  saved: "Backup settings saved",
  settingsChanged: "Someone else changed the backup settings. Check them and save again.",
};

export function startedByText({ cause, userName }: Pick<Run<unknown>, "cause" | "userName">): string {
  const words = { schedule: "Scheduled", console: "From the console", administrator: "An administrator", folder: "Found in the folder" };
  return userName ?? words[cause];
}

export const backupIntervalsHours = [0, 6, 12, 24, 168] as const;
