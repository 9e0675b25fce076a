import { Checksum, type Column, fromSqlite } from "#platform/copy/columns.ts";
import { count } from "./bar.ts";
import { type CopyContext, type MovedTable, stopWhenAsked } from "./copy-tables.ts";

/** Compares all rows of a table on both sides and prints one line. @returns whether they are equal. */
export async function compareTable({ source, target, bar, signal }: CopyContext, table: MovedTable): Promise<boolean> {
  const { name, types } = table;
  const here = new Checksum();
  for (const row of source.rows(table, types)) here.add(row.map((value, index) => fromSqlite((types[index] as Column).type, value)));
  const there = new Checksum();
  for await (const row of target.rows(name, types)) {
    stopWhenAsked(signal);
    there.add(row);
    bar.show(`comparing ${name}`, there.rows, here.rows);
  }
  const same = here.rows === there.rows && here.toString() === there.toString();
  const rows = `${count(here.rows)} on SQLite, ${count(there.rows)} on PostgreSQL`;
  bar.line(
    `  ${name.padEnd(16)} ${rows}, checksum ${here.toString().slice(0, 12)} ${same ? "on both" : `and ${there.toString().slice(0, 12)}: DIFFERENT`}`,
  );
  return same;
}
