import type { DatabaseConfig } from "#platform/database/open.ts";

/** The target of a restore. Nothing changes before `commit`. */
export type RestoreTarget = {
  /** The database to migrate and fill. */
  config: DatabaseConfig;
  /** Migrates to the backup's step, or checks for it. */
  prepare(steps: readonly string[]): Promise<void>;
  /** Replaces the old database. @returns notes for the operator. */
  commit(): Promise<string>;
  close(): Promise<void>;
};
