/** A backup or a check of the database. */
export type UpkeepRow = {
  id: string;
  kind: "backup" | "check";
  cause: "schedule" | "console" | "administrator" | "folder";
  userId: string | null;
  state: "running" | "good" | "failed";
  /** What it is at, and how much of that is done. */
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
};

/** What one process at a time does. */
export type JobRow = { name: string; holder: string; heldUntil: number; dueAt: number };
