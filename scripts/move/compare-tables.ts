import { fullCount } from "#domain/format.ts";
import { Checksum, type Column, fromSqlite } from "#platform/copy/columns.ts";
import { type CopyContext, type MovedTable, throwIfAborted } from "./copy-tables.ts";

/** Compares all rows of a table in both databases and prints one line. @returns whether they are equal. */
export async function compareTable({ source, target, bar, signal }: CopyContext, table: MovedTable): Promise<boolean> {
  const { name, types } = table;
  const sourceSum = new Checksum();
  for (const row of source.rows(table, types)) sourceSum.add(row.map((value, index) => fromSqlite((types[index] as Column).type, value)));
  const targetSum = new Checksum();
  for await (const row of target.rows(name, types)) {
    throwIfAborted(signal);
    targetSum.add(row);
    bar.show(`comparing ${name}`, targetSum.rows, sourceSum.rows);
  }
  const isEqual = sourceSum.rows === targetSum.rows && sourceSum.toString() === targetSum.toString();
  const rows = `${fullCount(sourceSum.rows)} on SQLite, ${fullCount(targetSum.rows)} on PostgreSQL`;
  bar.line(
    `  ${name.padEnd(16)} ${rows}, checksum ${sourceSum.toString().slice(0, 12)} ${isEqual ? "on both" : `and ${targetSum.toString().slice(0, 12)}: DIFFERENT`}`,
  );
  return isEqual;
}
