import type { DeleteResult, SelectQueryBuilder } from "kysely";
import type { Tables } from "./schema.ts";

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

/** Handles rows of a query until it finds fewer than `size`; a handled row leaves its result. @returns how many `handle` was true for. */
export async function handleInBatches<Row>(
  size: number,
  query: SelectQueryBuilder<Tables, never, Row>,
  handle: (row: Row) => Promise<boolean>,
): Promise<number> {
  let handled = 0;
  for (;;) {
    const rows = await query.limit(size).execute();
    for (const row of rows) if (await handle(row)) handled++;
    if (rows.length < size) return handled;
  }
}

/** Repeats a delete that is limited to `size` rows until it finds fewer. */
export async function deleteInBatches(size: number, query: { executeTakeFirstOrThrow(): Promise<DeleteResult> }): Promise<void> {
  for (let deleted = size; deleted === size; ) deleted = Number((await query.executeTakeFirstOrThrow()).numDeletedRows);
}
