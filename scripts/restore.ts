import "#platform/private-files.ts";
import { ArchiveMismatch } from "#domain/backups/load-archive.server.ts";
import { ConfigError } from "#platform/config.ts";
import { BrokenArchive } from "#platform/copy/archive.ts";
import { RestoreError, readOptions } from "./restore/options.ts";
import { restore } from "./restore/restore.ts";

/** `npm run restore -- FILE`: a backup into the database and the file store that the environment names. */
try {
  await restore(readOptions(process.argv.slice(2), process.env), process.stdout);
  process.exit(0);
} catch (error) {
  const expected = [RestoreError, ConfigError, BrokenArchive, ArchiveMismatch].some((kind) => error instanceof kind);
  if (!expected) throw error;
  console.error((error as Error).message);
  console.error("Nothing was changed.");
  process.exit(1);
}
