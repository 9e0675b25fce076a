import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Database } from "#platform/database/open.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { readBounded } from "./cost.server.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const long = { isIndexed: false, rows: 1, bytes: 1 } as const;
const sleep = (seconds: number) => (db: Database) => sql`select pg_sleep(${seconds})`.execute(db);

const onPostgres = inject("engine") === "postgres";
if (onPostgres)
  test("slow lists are stopped, and leave connections for other queries", async () => {
    const { site } = world;
    const lists = Array.from({ length: 10 }, () => readBounded(site, long, sleep(60)).catch((error: unknown) => error));
    const mine = Array.from({ length: 5 }, () => site.db.selectFrom("users").select("id").executeTakeFirst());
    expect(await Promise.race([Promise.all(mine).then(() => "answered"), ...lists])).toBe("answered");
    for (const list of await Promise.all(lists)) expect(list).toMatchObject({ code: "unavailable" });
    const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(site.db);
    expect(rows[0]?.statement_timeout).toBe("30s");
  });

test("a list is read, and its errors are thrown", async () => {
  const one = (db: Database) => sql<{ one: number }>`select 1 as one`.execute(db).then(({ rows }) => rows[0]?.one);
  expect(await readBounded(world.site, long, one)).toBe(1);
  expect(await readBounded(world.site, { isIndexed: true }, one)).toBe(1);
  await expect(readBounded(world.site, long, (db) => sql`select nothing`.execute(db))).rejects.toThrow("nothing");
});
