import type { Generated } from "kysely";

export type BackupRunRow = {
  id: string;
  kind: "backup" | "check";
  cause: "schedule" | "console" | "administrator" | "folder";
  userId: string | null;
  state: "running" | "good" | "failed";
  phase: string;
  done: number;
  total: number;
  host: string;
  archive: string | null;
  size: number | null;
  /** JSON. */
  report: string | null;
  startedAt: number;
  finishedAt: number | null;
  sentAt: Generated<number | null>;
  sendError: Generated<string | null>;
};

export type JobRow = { name: string; holder: string; heldUntil: number; dueAt: number };
