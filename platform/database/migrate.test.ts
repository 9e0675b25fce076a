import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../../tests/postgres/databases.ts";
import { pendingListIndexes } from "../../tests/postgres/pending-list-indexes.ts";
import { startServer } from "../../tests/support/process.ts";
import type { Table } from "../copy/columns.ts";
import { openSnapshot } from "../copy/snapshot.ts";
import type { Engine } from "./engine.ts";
import { migrate } from "./migrate.ts";
import { type Database, type DatabaseConfig, openDatabase } from "./open.ts";

let folder: string;
let database: TestDatabase;
let configs: Record<Engine, DatabaseConfig>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "inkstead-migrate-"));
  database = await createDatabase();
  const sqlite = { dataDir: folder, databaseUrl: undefined, databaseConnections: 5 };
  configs = { sqlite, postgres: { ...sqlite, databaseUrl: database.url } };
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

const engines: Engine[] = ["sqlite", "postgres"];

async function look<Result>(engine: Engine, read: (db: Database) => Promise<Result>): Promise<Result> {
  const { db } = openDatabase(configs[engine]);
  try {
    return await read(db);
  } finally {
    await db.destroy();
  }
}

describe("both engines have the same", () => {
  beforeEach(() => Promise.all(engines.map((engine) => migrate(configs[engine]))));

  /** Column types that count as the same. */
  const family: Record<string, string> = {
    integer: "number",
    int4: "number",
    int8: "number",
    bigint: "number",
    bool: "boolean",
    timestamptz: "text",
  };
  /** The tables of search, event order and the migrator differ by engine. */
  const different = (name: string) =>
    /^(posts_search|member_search|search_words_similar|story_index|\w+_changes|transaction$|events_order$|migrations$)/.test(name);

  test("tables and columns", async () => {
    const [onSqlite, onPostgres] = await Promise.all(engines.map((engine) => look(engine, columns)));
    expect(onPostgres).toEqual(onSqlite);
    expect(onSqlite?.map((table) => table.name)).toContain("posts");
  });

  async function columns(db: Database) {
    const tables = await db.introspection.getTables();
    return tables
      .filter((table) => !different(table.name))
      .map(({ name, columns: all }) => ({
        name,
        columns: all
          .filter((column) => !different(column.name))
          .map(({ name: column, dataType, isNullable }) => ({
            column,
            type: family[dataType.toLowerCase()] ?? dataType.toLowerCase(),
            // SQLite allows null in keys unless declared otherwise; no code writes it.
            isNullable: isKey(column) || isNullable,
          })),
      }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  const isKey = (column: string) => ["id", "number", "key", "email", "userId"].includes(column);

  test("indexes", async () => {
    const onSqlite = await look("sqlite", (db) =>
      sql<{ name: string }>`select name from sqlite_master where type = 'index' and sql is not null`.execute(db),
    );
    const onPostgres = await look("postgres", (db) =>
      sql<{ name: string }>`
        select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)`.execute(db),
    );
    const list = ({ rows }: { rows: { name: string }[] }) =>
      rows
        .map((row) => row.name)
        .filter((name) => !different(name))
        .toSorted();
    expect(list(onPostgres)).toEqual(list(onSqlite));
  });

  test("and PostgreSQL's search indexes have no pending list", async () => {
    const { rows } = await look("postgres", (db) => sql.raw(pendingListIndexes).execute(db));
    expect(rows).toEqual([]);
  });
});

/** In a separate process. */
async function migrateElsewhere(config: DatabaseConfig): Promise<string[]> {
  const program = `import { migrate } from "#platform/database/migrate.ts";
    console.log(JSON.stringify(await migrate(${JSON.stringify(config)})));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  return JSON.parse(stdout) as string[];
}

describe.each(engines)("on %s", (engine) => {
  test("the second run does nothing", async () => {
    const ran = await migrate(configs[engine]);
    expect(ran).toContain("0023-first-release");
    expect(await migrate(configs[engine])).toEqual([]);
  });

  test("of several processes one migrates", async () => {
    const ran = await Promise.all([1, 2, 3].map(() => migrateElsewhere(configs[engine])));
    expect(ran.filter((steps) => steps.length > 0)).toHaveLength(1);
  });

  test("working copies with another member's id get a new one", async () => {
    await migrate(configs[engine], "0028-staff");
    const taken = ["n.tide", "a.n.tide", "whatever-it-is-called"];
    const kept = ["m.tide", "0123456789abcdef01234567"];
    await look(engine, async (db) => {
      const date = "2026-11-01T00:00:00.000Z";
      const user = { id: "m", name: "M", email: "m@example.com", emailVerified: true, image: null, createdAt: date, updatedAt: date };
      await db.insertInto("users").values(user).execute();
      const picture = { id: "f", ownerId: "m", name: "", type: "", size: 0, width: null, height: null, createdAt: 1, attachedAt: 1 };
      await db.insertInto("files").values(picture).execute();
      const nothing = { postId: null, postVersion: null, slug: "", slugTyped: false, status: "active" as const, featuredImage: null };
      const numbers = { revision: 1, writerCount: 1, keptAt: 1, createdAt: 1, updatedAt: 1 };
      for (const id of [...taken, ...kept]) {
        const copy = { id, userId: "m", title: id, markdown: id, writer: "page", ...nothing, ...numbers };
        await db.insertInto("working_copies").values(copy).execute();
        await db.insertInto("copy_files").values({ copyId: id, fileId: "f" }).execute();
        const version = { id: `of ${id}`, postId: null, copyId: id, userId: "m", title: id, markdown: "", createdAt: 1 };
        await db.insertInto("versions").values(version).execute();
      }
    });
    await migrate(configs[engine]);
    const rows = await look(engine, (db) =>
      db
        .selectFrom("working_copies as w")
        .innerJoin("copy_files as c", "c.copyId", "w.id")
        .innerJoin("versions as v", "v.copyId", "w.id")
        .select(["w.id", "w.title", "v.title as version"])
        .execute(),
    );
    expect(rows).toHaveLength(5);
    for (const { id, title, version } of rows) {
      expect(version).toBe(title);
      if (kept.includes(title)) expect(id).toBe(title);
      else expect(id).toMatch(/^[0-9a-f]{24}$/);
    }
  });

  test("reports of erased stories no longer name the next story with the address", async () => {
    await migrate(configs[engine], "0051-finished-drafts");
    await look(engine, async (db) => {
      const date = "2026-11-01T00:00:00.000Z";
      for (const id of ["m", "n"]) {
        const email = `${id}@example.com`;
        const user = { id, name: id, email, emailVerified: true, image: null, createdAt: date, updatedAt: date };
        await db.insertInto("users").values(user).execute();
      }
      const texts = { title: "", content: "", markdown: "", summary: "", plainText: "", words: 0, featuredImage: null };
      const numbers = { views: 0, likesCount: 0, bookmarksCount: 0, publishedAt: 1, createdAt: 1, updatedAt: 1 };
      const post = { ...texts, ...numbers, id: "tides", userId: "m", userName: "m", featured: false, pinned: false };
      await db
        .insertInto("posts")
        .values({ ...post, status: "active" })
        .execute();
      const report = { reporterId: null, reason: "spam", note: "", excerpt: "", status: "pending" as const, createdAt: 1, updatedAt: 1 };
      for (const [id, kind, subjectId, ownerId] of [
        ["own", "post", "tides", "m"],
        ["former", "post", "tides", "n"],
        ["erased", "post", "moor", "m"],
        ["other", "profile", "n", "n"],
      ] as const)
        await db
          .insertInto("reports")
          .values({ ...report, id, kind, subjectId, ownerId })
          .execute();
    });
    await migrate(configs[engine]);
    const rows = await look(engine, (db) => db.selectFrom("reports").select(["id", "subjectId"]).orderBy("number").execute());
    expect(Object.fromEntries(rows.map(({ id, subjectId }) => [id, subjectId]))).toEqual({
      own: "tides",
      former: "former",
      erased: "erased",
      other: "n",
    });
  });

  test("a newer database is left unchanged", async () => {
    await migrate(configs[engine]);
    await look(engine, (db) => sql`insert into migrations (name, timestamp) values ('9999-later', '2099')`.execute(db));
    await expect(migrate(configs[engine])).rejects.toThrow(/9999-later/);
  });
});

test("a migration waits for a running backup without blocking the site's other queries", async () => {
  const lines: string[] = [];
  await migrate(configs.postgres, "0047-deletion-cleanups");
  const backup = await openSnapshot(configs.postgres);
  try {
    const posts = backup.tables.find(({ name }) => name === "posts");
    for await (const _ of backup.rows(posts as Table)) expect.unreachable("there are no posts");
    const migrated = migrate(configs.postgres, undefined, pino({}, { write: (line) => void lines.push(line) }));
    await expect.poll(() => lines.join("")).toContain("a running backup");
    expect(await look("postgres", (db) => db.selectFrom("posts").select("id").execute())).toEqual([]);
    await backup.close();
    expect(await migrated).toContain("0048-posts-age");
  } finally {
    await backup.close();
  }
});

test("two processes starting on an empty database both work", async () => {
  const environment = { DATABASE_URL: database.url, SECRET: "a secret that only the tests know" };
  const servers = await Promise.all([startServer(environment), startServer(environment)]);
  try {
    for (const { url } of servers) expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(servers.filter((server) => server.output().includes("database migrated"))).toHaveLength(1);
  } finally {
    for (const server of servers) await server.close();
  }
});
