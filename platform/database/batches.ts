import type { DeleteResult } from "kysely";

export async function* readInBatches<Row, Key>(
  first: Key,
  read: (after: Key) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
): AsyncGenerator<Row> {
  for (let after = first; ; ) {
    const rows = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = keyOf(last);
  }
}

/** Repeats a delete that is limited to `size` rows until it finds fewer. */
export async function deleteInBatches(size: number, query: { executeTakeFirstOrThrow(): Promise<DeleteResult> }): Promise<void> {
  for (let deleted = size; deleted === size; ) deleted = Number((await query.executeTakeFirstOrThrow()).numDeletedRows);
}
