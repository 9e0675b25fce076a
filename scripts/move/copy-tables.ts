import type { SQLInputValue } from "node:sqlite";
import { fullCount } from "#domain/format.ts";
import { type Column, type CopiedValue, fromSqlite, type SqliteValue } from "#platform/copy/columns.ts";
import type { SqliteTable } from "#platform/copy/sqlite-tables.ts";
import type { ProgressBar } from "../progress-bar.ts";
import { MoveError } from "./options.ts";
import type { Source } from "./source.ts";
import type { Target } from "./target.ts";

/** With the target's column types. */
export type MovedTable = SqliteTable & { types: Column[] };
export type CopyContext = { source: Source; target: Target; bar: ProgressBar; signal: AbortSignal };

const rowsPerBatch = 500;
const charactersPerBatch = 4_000_000;

/**
 * The source's tables with the target's column types.
 * @throws MoveError when the schemas differ.
 */
export async function matchTables(source: Source, target: Target): Promise<MovedTable[]> {
  const tables: MovedTable[] = [];
  for (const table of source.tables()) {
    const types = await target.columns(table.name);
    const [sourceColumns, targetColumns] = [table.columns, types].map(sortedNames);
    if (sourceColumns !== targetColumns)
      throw new MoveError(
        `The table ${table.name} has the columns ${sourceColumns} on SQLite and ${targetColumns || "none"} on PostgreSQL.`,
      );
    tables.push({ ...table, types });
  }
  return tables;
}

function sortedNames(columns: Column[]): string {
  const names = columns.map((column) => column.name);
  return names.sort().join();
}

/** Copies missing rows in key order. A batch and its progress are saved together. */
export async function copyTable({ source, target, bar, signal }: CopyContext, table: MovedTable): Promise<void> {
  const { name, types } = table;
  const total = source.count(table);
  let { rows, last } = await target.progress(name);
  const alreadyCopied = rows;
  for (const batch of batches(source.rows(table, types, last === null ? undefined : readKey(table, last)), types)) {
    throwIfAborted(signal);
    rows += batch.rows.length;
    last = writeKey(table, batch.last);
    await target.transaction(async () => {
      await target.insert(name, types, batch.rows);
      await target.setProgress(name, { rows, last });
    });
    bar.show(name, rows, total);
  }
  bar.line(
    `  ${name.padEnd(16)} ${fullCount(rows)} ${rows === 1 ? "row" : "rows"}${alreadyCopied > 0 ? `, ${fullCount(alreadyCopied)} of them already there` : ""}`,
  );
}

/** @throws MoveError after Ctrl-C. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new MoveError("Interrupted. Run the same command again to continue.");
}

type Batch = { rows: CopiedValue[][]; last: SqliteValue[] };

function* batches(rows: Iterable<SqliteValue[]>, types: Column[]): Generator<Batch> {
  let batch: CopiedValue[][] = [];
  let characters = 0;
  let last: SqliteValue[] = [];
  for (const row of rows) {
    last = row;
    const canonical = row.map((value, index) => fromSqlite((types[index] as Column).type, value));
    batch.push(canonical);
    for (const value of canonical) characters += value?.length ?? 0;
    if (batch.length < rowsPerBatch && characters < charactersPerBatch) continue;
    yield { rows: batch, last };
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield { rows: batch, last };
}

/** In SQLite's form, which the query for the next batch needs. */
function writeKey({ key, types }: MovedTable, row: SqliteValue[]): string {
  return JSON.stringify(key.map((name) => String(row[types.findIndex((column) => column.name === name)])));
}

function readKey({ key, types }: MovedTable, text: string): SQLInputValue[] {
  const values = JSON.parse(text) as string[];
  return key.map((name, index) => {
    const type = types.find((column) => column.name === name)?.type;
    return type === "bigint" || type === "integer" ? BigInt(values[index] as string) : (values[index] as string);
  });
}
