import { createHash } from "node:crypto";
import { type ArchiveSource, BrokenArchive, type Checksums, type Manifest, readArchive } from "#platform/copy/archive.ts";
import { Checksum, type Column, type CopiedValue, normalizeValue, type Table } from "#platform/copy/columns.ts";
import type { DatabaseImport } from "#platform/copy/database-import.ts";
import type { FileStore } from "#platform/files/file-store.ts";
import type { ReportProgress } from "./make-archive.server.ts";

export type LoadResult = { manifest: Manifest; tables: Record<string, number>; files: { count: number; bytes: number } };

export class ArchiveMismatch extends Error {}

const rowsPerInsert = 500;

type LoadState = { table: Table; from: number[]; written: Checksum; expected: Checksum };

/**
 * Loads an archive, reads everything back and compares checksums. Call the database's `finish` afterwards. @param keepFiles false in
 * restore tests: each file is deleted after its comparison. @throws BrokenArchive, ArchiveMismatch.
 */
export async function loadArchive(
  from: ArchiveSource,
  database: DatabaseImport,
  store: FileStore,
  { keepFiles, reportProgress }: { keepFiles: boolean; reportProgress: ReportProgress },
): Promise<LoadResult> {
  const files = { sum: new Checksum(), bytes: 0 };
  let manifest: Manifest | undefined;
  let checksums: Checksums | undefined;
  let loading = new Map<string, LoadState>();
  let rows = 0;
  for await (const part of readArchive(from)) {
    if (part.kind === "manifest") {
      manifest = part.manifest;
      loading = matchTables(manifest, database);
    } else if (part.kind === "rows") {
      const table = loading.get(part.table);
      if (!table) throw new BrokenArchive(`The backup contains rows of the table ${part.table}, which its table list doesn't include.`);
      await insert(database, table, part.rows);
      rows += part.rows.length;
      reportProgress(`Restoring ${part.table}`, rows, 0);
    } else if (part.kind === "file") {
      await loadFile(store, part, keepFiles);
      files.sum.add([part.key, part.sha256]);
      files.bytes += part.bytes.byteLength;
      reportProgress("Restoring files", files.sum.rows, 0);
    } else checksums = part.checksums;
  }
  if (!manifest || !checksums) throw new BrokenArchive("This isn't an Inkstead backup.");
  verifyChecksums(loading, files.sum, checksums);
  let compared = 0;
  for (const { table, expected } of loading.values()) {
    await verifyLoadedTable(database, table, expected);
    compared += expected.rows;
    reportProgress(`Comparing ${table.name}`, compared, rows);
  }
  const tables = Object.fromEntries([...loading].map(([name, { written }]) => [name, written.rows]));
  return { manifest, tables, files: { count: files.sum.rows, bytes: files.bytes } };
}

/** Verifies an archive's checksums without writing anything. @throws BrokenArchive. */
export async function checkArchive(from: ArchiveSource, reportProgress: ReportProgress): Promise<void> {
  const tables = new Map<string, { written: Checksum }>();
  const files = new Checksum();
  let checksums: Checksums | undefined;
  let rows = 0;
  for await (const part of readArchive(from)) {
    if (part.kind === "manifest") for (const { name } of part.manifest.tables) tables.set(name, { written: new Checksum() });
    else if (part.kind === "rows") {
      for (const row of part.rows) tables.get(part.table)?.written.add(row);
      rows += part.rows.length;
      reportProgress("Checking rows", rows, 0);
    } else if (part.kind === "file") {
      files.add([part.key, part.sha256]);
      reportProgress("Checking files", files.rows, 0);
    } else checksums = part.checksums;
  }
  if (!checksums) throw new BrokenArchive("This isn't an Inkstead backup.");
  verifyChecksums(tables, files, checksums);
}

function matchTables({ tables }: Manifest, database: DatabaseImport): Map<string, LoadState> {
  const names = (columns: Column[]) =>
    columns
      .map((column) => column.name)
      .sort()
      .join();
  const matched = tables.map(({ name, columns }): [string, LoadState] => {
    const table = database.tables.find((each) => each.name === name);
    if (!table || names(table.columns) !== names(columns))
      throw new ArchiveMismatch(
        `The table ${name} has the columns ${names(columns)} in the backup and ${names(table?.columns ?? []) || "none"} here.`,
      );
    const from = table.columns.map((column) => columns.findIndex((each) => each.name === column.name));
    return [name, { table, from, written: new Checksum(), expected: new Checksum() }];
  });
  return new Map(matched);
}

async function insert(database: DatabaseImport, { table, from, written, expected }: LoadState, rows: CopiedValue[][]): Promise<void> {
  const arranged = rows.map((row) => {
    written.add(row);
    const values = table.columns.map(({ type }, index) => normalizeValue(type, row[from[index] as number] ?? null));
    expected.add(values);
    return values;
  });
  for (let at = 0; at < arranged.length; at += rowsPerInsert) await database.insert(table, arranged.slice(at, at + rowsPerInsert));
}

async function loadFile(store: FileStore, { key, bytes, sha256 }: { key: string; bytes: Buffer; sha256: string }, keep: boolean) {
  await store.put(key, bytes);
  const stored = await store.get(key);
  if (!stored || createHash("sha256").update(stored).digest("hex") !== sha256)
    throw new ArchiveMismatch(`The file ${key} doesn't match the backup.`);
  if (!keep) await store.deleteFolder(key.split("/")[0] as string);
}

function verifyChecksums(tables: Map<string, { written: Checksum }>, files: Checksum, checksums: Checksums): void {
  for (const [name, { written }] of tables) {
    const { rows, sum } = checksums.tables[name] ?? { rows: 0, sum: "" };
    if (written.rows !== rows || written.toString() !== sum)
      throw new BrokenArchive(`The table ${name} in the backup is damaged: ${written.rows} of ${rows} rows were read.`);
  }
  if (files.rows !== checksums.files.count || files.toString() !== checksums.files.sum)
    throw new BrokenArchive(`Files are missing in the backup: ${files.rows} of ${checksums.files.count} were read.`);
}

async function verifyLoadedTable(database: DatabaseImport, table: Table, expected: Checksum): Promise<void> {
  const there = new Checksum();
  for await (const row of database.rows(table)) there.add(row);
  if (there.rows !== expected.rows || there.toString() !== expected.toString())
    throw new ArchiveMismatch(`The table ${table.name} doesn't match: ${there.rows} of ${expected.rows} rows, or other values.`);
}
