import type { DatabaseConfig } from "#platform/database/open.ts";

/**
 * Where a restored database comes to be. Until `keep` is done, everything there is as it was.
 */
export type Place = {
  /** What to migrate and fill. */
  config: DatabaseConfig;
  /** Brings the schema to the backup's step, or finds that it has it. */
  prepare(steps: readonly string[]): Promise<void>;
  /** Puts what was restored in the place of what was there. @returns what there is to say about it. */
  keep(): Promise<string>;
  close(): Promise<void>;
};
