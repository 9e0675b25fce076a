import "#platform/private-files.ts";
import { resolve } from "node:path";
import { ArchiveMismatch } from "#domain/backups/load-archive.server.ts";
import { sizeText } from "#domain/format.ts";
import { ConfigError, readConfig } from "#platform/config.ts";
import { BrokenArchive } from "#platform/copy/archive.ts";
import { WrongKey } from "#platform/copy/encryption.ts";
import { explainFailure } from "#platform/database/explain-failure.ts";
import { snapshotFolder } from "./restore/leftovers.ts";
import { RestoreError, readOptions } from "./restore/options.ts";
import { restore } from "./restore/restore.ts";
import { listBackupFiles } from "./restore/source.ts";

/** `npm run restore -- FILE`: restores a backup into the database and file store that the environment names. */
const args = process.argv.slice(2);
const isList = args.join() === "--list";
const dataDir = resolve(process.env.DATA_DIR || "./data");
const progress = { replaced: false };
try {
  if (isList) await printBackups();
  else await restore(readOptions(args, process.env), process.stdout, progress);
  process.exit(0);
} catch (error) {
  const expected = [RestoreError, ConfigError, BrokenArchive, WrongKey, ArchiveMismatch].some((kind) => error instanceof kind);
  console.error(expected ? (error as Error).message : `The restore failed: ${explainFailure(error, dataDir).message}`);
  if (!isList && !progress.replaced) console.error("Nothing was changed.");
  process.exit(1);
}

async function printBackups(): Promise<void> {
  const discard = snapshotFolder(dataDir);
  try {
    const config = readConfig(process.env);
    let isEmpty = true;
    for await (const { file, size, at } of listBackupFiles(config)) {
      console.log(`${file}  ${sizeText(size)}  ${new Date(at).toISOString()}`);
      isEmpty = false;
    }
    if (isEmpty) console.log("There are no backups yet.");
    if (!config.offsite) console.log("There are no off-site backups: BACKUP_RECIPIENT isn't set.");
  } finally {
    discard();
  }
}
