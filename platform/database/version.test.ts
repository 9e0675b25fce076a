import { join } from "node:path";
import { type CompiledQuery, Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "#platform/config.ts";
import { sqliteDialect } from "#platform/database/sqlite/sqlite.ts";
import { until } from "../../tests/support/until.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { type Database, openDatabase } from "./open.ts";
import type { Tables } from "./schema.ts";
import { openVersions } from "./version.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const version = () => world.site.versions.database();
const attempt = (kind: string) => ({ kind, subject: "", network: "", count: 1, endsAt: 1 });

test("is unchanged by reads", async () => {
  // On PostgreSQL commits in other databases of the server count too, and other tests write to theirs.
  await until(async () => {
    const before = await version();
    await world.site.db.selectFrom("users").selectAll().execute();
    expect(await version()).toBe(before);
  });
});

test("changes with every commit", async () => {
  const { db } = world.site;
  const versions = new Set([await version()]);
  await db.insertInto("attempts").values(attempt("a")).execute();
  versions.add(await version());
  await db.transaction().execute((tx) => tx.insertInto("attempts").values(attempt("b")).execute());
  versions.add(await version());
  await db.deleteFrom("attempts").execute();
  versions.add(await version());
  expect(versions.size).toBe(4);
});

test("is one query for all callers in a turn of the event loop, after the last of them", async () => {
  const { db, engine } = world.site;
  let queries = 0;
  const counting = { executeQuery: (query: CompiledQuery) => db.executeQuery(query).finally(() => queries++) };
  const { database } = openVersions(counting as unknown as Database, engine);
  const before = await database();
  const first = database();
  // In the same turn, so before the query runs.
  const others = Promise.resolve().then(() => [database(), database()]);
  const versions = await Promise.all([first, ...(await others)]);
  expect([queries, new Set(versions).size]).toEqual([2, 1]);
  await db.insertInto("attempts").values(attempt("turn")).execute();
  expect(await database()).not.toBe(before);
});

test("from within a transaction differs from the one after it", async () => {
  const written = Promise.withResolvers<void>();
  const requested = Promise.withResolvers<void>();
  const running = world.site.db.transaction().execute(async (tx) => {
    await tx.insertInto("attempts").values(attempt("a")).execute();
    written.resolve();
    await requested.promise;
  });
  await written.promise;
  const during = await version();
  requested.resolve();
  await running;
  expect(await version()).not.toBe(during);
});

test("differs for a connection opened later", async () => {
  if (world.site.engine === "postgres") return;
  const file = join(world.dataDir, "inkstead.db");
  const intervals = { optimizeIntervalMs: 20 };
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file, intervals) });
  const { database } = openVersions(db, "sqlite");
  const versions = new Set([await database()]);
  await until(async () => {
    versions.add(await database());
    expect(versions.size).toBeGreaterThan(2);
  });
  await db.destroy();
});

test("includes everything committed before the call, for concurrent callers", async () => {
  const { db } = world.site;
  const known = new Map<string, number>();
  for (let round = 0; round < 30; round++) {
    const before = Array.from({ length: 5 }, version);
    await db
      .insertInto("attempts")
      .values(attempt(`round ${round}`))
      .execute();
    const after = await Promise.all(Array.from({ length: 5 }, version));
    for (const each of after) {
      expect(known.get(each) ?? round).toBe(round);
      known.set(each, round);
    }
    await Promise.all(before);
  }
});

test("changes with commits by other processes", async () => {
  const before = await version();
  const other = openDatabase(readConfig(world.environment)).db;
  await other.insertInto("attempts").values(attempt("c")).execute();
  await other.destroy();
  expect(await version()).not.toBe(before);
});

describe("the version of public content", () => {
  const content = () => world.site.versions.content();
  const signIn = () =>
    world.site.db
      .insertInto("attempts")
      .values(attempt(String(Math.random())))
      .execute();
  const rename = (name: string) => world.site.db.updateTable("users").set({ name }).where("id", "=", world.maren.id).execute();

  test("ignores sign-ins and changes with everything else", async () => {
    if (world.site.engine === "postgres") return;
    const before = await content();
    await signIn();
    await world.site.db.updateTable("sessions").set({ userAgent: "x" }).execute();
    await world.site.db.transaction().execute(async (tx) => {
      await tx.deleteFrom("attempts").execute();
      await tx.insertInto("security_events").values({ userId: world.maren.id, kind: "sign-in", device: "", network: "", at: 1 }).execute();
    });
    expect(await content()).toBe(before);
    const versions = new Set([before]);
    const changes = [
      () => rename("Maren O."),
      () => Promise.all([signIn(), rename("Maren P."), signIn()]),
      () => world.site.db.transaction().execute((tx) => tx.updateTable("users").set({ name: "Maren Q." }).execute()),
      () => sql`update "users" set name = 'Maren R.'`.execute(world.site.db),
      () => sql`with gone as (select 1) delete from views`.execute(world.site.db),
    ];
    for (const change of changes) {
      await change();
      versions.add(await content());
      await signIn();
      versions.add(await content());
    }
    expect(versions.size).toBe(changes.length + 1);
  });

  test("changes with any commit by another process", async () => {
    const before = await content();
    const other = openDatabase(readConfig(world.environment)).db;
    await other.insertInto("attempts").values(attempt("c")).execute();
    await other.destroy();
    expect(await content()).not.toBe(before);
  });
});
