import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadArchive } from "#domain/backups/load-archive.server.ts";
import { excludedTables } from "#domain/backups/make-archive.server.ts";
import { deletePost } from "#domain/posts/posts.server.ts";
import { listUsers } from "#domain/profiles/admin-users.server.ts";
import { setLike } from "#domain/reactions/reactions.server.ts";
import { type Member, memberWithoutSession, type Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import { Checksum } from "#platform/copy/columns.ts";
import { openDatabaseImport } from "#platform/copy/database-import.ts";
import { openSnapshot } from "#platform/copy/snapshot.ts";
import { migrate } from "#platform/database/migrate.ts";
import { type DatabaseConfig, openDatabase } from "#platform/database/open.ts";
import { diskStore } from "#platform/files/disk.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { createDatabase, type TestDatabase } from "./postgres/databases.ts";
import { addPost, searchPosts } from "./support/posts.ts";
import { expectExactCounters } from "./support/rows.ts";
import { readSchema } from "./support/schema.ts";

/**
 * databases/first-release.*: a backup by the first release (92b820d) of a small community, and the statements of its schema on each engine
 * with triggers and functions.
 */
const fixture = (name: string) => join(import.meta.dirname, "databases", `first-release.${name}`);

/** Current names of the first release's tables and columns. */
const renamed: Record<string, string> = {
  ...{ tallies: "counters", daily_tallies: "daily_counters", member_tallies: "member_counters", slot: "shard" },
  ...{ acts: "moderation_actions", actId: "actionId", departed: "deleted_accounts", leftAt: "deletedAt" },
  ...{ letter_choices: "email_choices", letterAt: "emailDueAt", upkeep_runs: "backup_runs" },
};
const currentName = (name: string) => renamed[name] ?? name;
const currentColumn = (table: string, column: string) =>
  table === "rankings" && column === "createdAt" ? "publishedAt" : currentName(column);

/** Attempts are recounted. One of two working copies gets another id, which migrate.test.ts tests. Choices of emails are kept by kind. */
const changed = ["attempts", "working_copies", "email_choices"];

describe.each(["sqlite", "postgres"] as const)("a database of the first release on %s", (engine) => {
  let folder: string;
  const databases: TestDatabase[] = [];
  let site: Site;
  let before: Record<string, { columns: string[]; sum: string }>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "inkstead-first-release-"));
    const config = await createStorage("old");
    await makeSchema(config);
    const database = await openDatabaseImport(config, excludedTables);
    await loadArchive(fixture("tar"), database, diskStore(join(folder, "files")), { keepFiles: true, reportProgress: () => {} });
    await database.finish();
    await database.close();
    before = await sumsOf(config);
    const environment = { DATA_DIR: config.dataDir, DATABASE_URL: config.databaseUrl ?? "", SECRET: "a secret that only the tests know" };
    site = await openSite(readConfig({ SITE_URL: "http://inkstead.test", ...environment }), createLog("silent"));
  });
  afterAll(async () => {
    await closeSite(site);
    for (const database of databases) await database.drop();
    rmSync(folder, { recursive: true });
  });

  async function createStorage(name: string): Promise<DatabaseConfig> {
    const database = engine === "postgres" ? await createDatabase() : undefined;
    if (database) databases.push(database);
    return { dataDir: join(folder, name), databaseUrl: database?.url, databaseConnections: 2 };
  }

  async function sumsOf(config: DatabaseConfig, only?: typeof before): Promise<typeof before> {
    const snapshot = await openSnapshot(config);
    const sums: typeof before = {};
    for (const table of snapshot.tables) {
      const names = table.columns.map((column) => currentColumn(table.name, column.name));
      const columns = only?.[currentName(table.name)]?.columns ?? names.toSorted();
      const sum = new Checksum();
      for await (const row of snapshot.rows(table)) {
        const cell = (column: string) => row[names.indexOf(column)] ?? null;
        // A story's only date was its creation.
        const isDate = (column: string) => table.name === "posts" && column === "createdAt";
        sum.add(columns.map((column) => cell(column) ?? (isDate(column) ? cell("publishedAt") : null)));
      }
      sums[currentName(table.name)] = { columns, sum: `${sum.rows} rows, ${sum}` };
    }
    await snapshot.close();
    return sums;
  }

  test("keeps every row", async () => {
    const { dataDir, databaseUrl } = site.storageConfig;
    const after = await sumsOf({ dataDir, databaseUrl, databaseConnections: 1 }, before);
    expect(Object.keys(before).length).toBeGreaterThan(40);
    expect(before.posts?.sum).toMatch(/^30 rows/);
    for (const [table, { sum }] of Object.entries(before))
      if (!changed.includes(table)) expect([table, after[table]?.sum]).toEqual([table, sum]);
    expect(after.working_copies?.sum).toMatch(/^2 rows/);
    const choices = site.db.selectFrom("notification_preferences as n").innerJoin("users as u", "u.id", "n.userId");
    expect(await choices.select(["u.name", "n.kind", "n.email"]).execute()).toEqual([
      { name: "Maren Oduya", kind: "follower", email: "never" },
    ]);
  });

  test("has the schema of a new one", async () => {
    const config = await createStorage("new");
    await migrate(config);
    const fresh = openDatabase(config);
    const [here, there] = [await readSchema(site.db, engine), await readSchema(fresh.db, engine)];
    await fresh.db.destroy();
    expect(here).toEqual(there);
    expect(Object.keys(here).length).toBeGreaterThan(400);
    expect(Object.keys(here).filter((name) => /tall(y|ies)|\bacts|actid|slot|departed|(?<!news)letter/i.test(name))).toEqual([]);
  });

  test("has exact counters, also after the next changes", async () => {
    await expectExactCounters(site);
    const [writer, reader] = [await member("maren"), await member("hazel")];
    await addPost({ site }, writer, { id: "since-then", title: "Since then", status: "active" });
    await setLike(site, reader, "since-then", true);
    await expectExactCounters(site);
    expect((await searchPosts(site, { text: "since then", limit: 5 })).map(({ id }) => id)).toContain("since-then");
    await deletePost(site, writer, "since-then");
    await expectExactCounters(site);
    expect(await searchPosts(site, { text: "since then", limit: 5 })).not.toContainEqual(expect.objectContaining({ id: "since-then" }));
  });

  test("finds its stories and members, despite typos", async () => {
    const posts = await site.db
      .selectFrom("posts")
      .select(["id", "title"])
      .where("status", "=", "active")
      .orderBy("number")
      .limit(5)
      .execute();
    for (const { id, title } of posts) expect((await searchPosts(site, { text: title, limit: 5 })).map((post) => post.id)).toContain(id);
    expect((await searchPosts(site, { text: "lihgthouse", limit: 5 })).length).toBeGreaterThan(0);
    const found = await listUsers(site, await member("ruth"), { search: "oduya", sort: "name", limit: 9, page: 1 });
    expect(found.users.map(({ email }) => email)).toEqual(["maren@example.com"]);
    if (engine === "sqlite")
      expect((await sql`select rowid from posts_search where posts_search match '"³active"'`.execute(site.db)).rows).toEqual([]);
  });

  async function member(name: string): Promise<Member> {
    const select = site.db.selectFrom("users").select(["id", "name", "email"]).where("email", "=", `${name}@example.com`);
    const staff = name === "ruth" ? ("administrator" as const) : null;
    return memberWithoutSession({ ...(await select.executeTakeFirstOrThrow()), staff, isReauthenticated: true });
  }

  async function makeSchema({ dataDir, databaseUrl }: DatabaseConfig): Promise<void> {
    const statements = gunzipSync(readFileSync(fixture(`${engine}.sql.gz`))).toString();
    if (databaseUrl === undefined) {
      mkdirSync(dataDir);
      const database = new DatabaseSync(join(dataDir, "inkstead.db"));
      database.exec(statements);
      database.close();
    } else {
      const client = new pg.Client(databaseUrl);
      await client.connect();
      await client.query(statements);
      await client.end();
    }
  }
});
