import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../../tests/support/world.ts";
import { jsonRows } from "./json-rows.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const columns = { text: "text", number: "bigint", yes: "boolean" } as const;

async function select(text: string | null) {
  const rows = [
    { text, number: 2 ** 45, yes: true },
    { text: "last", number: -1, yes: false },
  ];
  const { rows: found } = await sql<{ text: string | null; number: number; yes: unknown }>`
    select text, number, yes from ${jsonRows(world.site.engine, columns, rows)} as r`.execute(world.site.db);
  return found.map((row) => ({ ...row, number: Number(row.number), yes: Boolean(row.yes) }));
}

test.each([
  ["quotes and backslashes", `"'\\ \\u0000 \n`, undefined],
  ["an empty text", "", undefined],
  ["null", null, undefined],
  ["characters beyond the first plane", "😀", undefined],
  ["a NUL character", "a\0b", "a\uFFFDb"],
  ["half a surrogate pair", "a\ud83d", "a\uFFFD"],
])("rows come back as they were given: %s", async (_what, given, stored) => {
  expect(await select(given)).toEqual([
    { text: stored ?? given, number: 2 ** 45, yes: true },
    { text: "last", number: -1, yes: false },
  ]);
});
