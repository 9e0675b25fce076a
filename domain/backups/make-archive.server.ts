import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { finished } from "node:stream/promises";
import { ArchiveWriter, archiveFormat, type Checksums } from "#platform/copy/archive.ts";
import { Checksum, type CopiedValue, type Table } from "#platform/copy/columns.ts";
import { openSnapshot, type Snapshot } from "#platform/copy/snapshot.ts";
import { type FileKey, keysOf } from "#platform/files/file-keys.ts";
import type { FileStore } from "#platform/files/file-store.ts";
import { openFiles } from "#platform/files/open.ts";
import type { StorageConfig } from "../site.ts";
import type { BackupReport } from "./backup.ts";

export type ReportProgress = (phase: string, done: number, total: number) => void;

export type NewArchive = {
  storageConfig: StorageConfig;
  path: string;
  site: { name: string; url: string };
  secretMark: string;
  madeAt: number;
};

/** Belongs to one machine, or would be sent a second time by the restored site. Older versions call `backup_runs` by the second name. */
export const excludedTables: readonly string[] = ["backup_runs", "upkeep_runs", "jobs", "outbox", "faults", "pushes", "webhook_deliveries"];

const rowsPerReport = 1000;

/** Writes a snapshot of the database and the files it refers to. Nothing may delete files meanwhile (lease.server.ts). */
export async function makeArchive(
  { storageConfig, path, site, secretMark, madeAt }: NewArchive,
  reportProgress: ReportProgress,
): Promise<{ size: number; missing: BackupReport["missing"] }> {
  const store = await openFiles(storageConfig);
  const writer = new ArchiveWriter(path);
  const keys = `${path}.keys`;
  try {
    const snapshot = await openSnapshot(storageConfig);
    let checksums: Checksums["tables"];
    try {
      const tables = snapshot.tables.filter((table) => !excludedTables.includes(table.name));
      const { engine, migrations } = snapshot;
      const tableList = tables.map(({ name, columns }) => ({ name, columns }));
      const made = new Date(madeAt).toISOString();
      await writer.writeManifest({ format: archiveFormat, madeAt: made, engine, site, secretMark, migrations, tables: tableList });
      checksums = await writeTables(writer, snapshot, tables, keys, reportProgress);
    } finally {
      await snapshot.close();
    }
    const files = await writeFiles(writer, store, keys, reportProgress);
    const size = await writer.finish({ tables: checksums, files: files.checksum });
    return { size, missing: files.missing };
  } catch (error) {
    writer.destroy();
    throw error;
  } finally {
    await rm(keys, { force: true });
    await store.close();
  }
}

async function writeTables(writer: ArchiveWriter, snapshot: Snapshot, tables: Table[], keys: string, reportProgress: ReportProgress) {
  const keyList = createWriteStream(keys, { mode: 0o600 });
  const checksums: Checksums["tables"] = {};
  for (const table of tables) {
    const sum = new Checksum();
    const names = table.columns.map((column) => column.name);
    await writer.writeTable(table.name, summed());
    checksums[table.name] = { rows: sum.rows, sum: sum.toString() };

    async function* summed(): AsyncGenerator<CopiedValue[]> {
      for await (const row of snapshot.rows(table)) {
        sum.add(row);
        if (sum.rows % rowsPerReport === 0) reportProgress(`Copying ${table.name}`, sum.rows, 0);
        if (table.name === "files") for (const key of keysOf(namedColumns(names, row))) keyList.write(`${JSON.stringify(key)}\n`);
        yield row;
      }
    }
  }
  keyList.end();
  await finished(keyList);
  return checksums;
}

function namedColumns(names: string[], row: CopiedValue[]): Record<string, CopiedValue> {
  return Object.fromEntries(names.map((name, index) => [name, row[index] ?? null]));
}

async function writeFiles(writer: ArchiveWriter, store: FileStore, keys: string, reportProgress: ReportProgress) {
  const sum = new Checksum();
  const missing: BackupReport["missing"] = { count: 0, first: [] };
  let bytesWritten = 0;
  for await (const line of createInterface({ input: createReadStream(keys) })) {
    const { key, attached } = JSON.parse(line) as FileKey;
    const bytes = await store.get(key);
    if (bytes) {
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      await writer.writeFile(key, bytes, sha256);
      sum.add([key, sha256]);
      bytesWritten += bytes.byteLength;
      reportProgress("Copying files", sum.rows, 0);
    } else if (attached) {
      missing.count++;
      if (missing.first.length < 10) missing.first.push(key);
    }
  }
  return { checksum: { count: sum.rows, bytes: bytesWritten, sum: sum.toString() }, missing };
}
