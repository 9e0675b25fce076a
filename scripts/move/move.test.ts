import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { createPost } from "#domain/posts/posts.server.ts";
import { setBookmark, setLike } from "#domain/reactions/reactions.server.ts";
import type { Site } from "#domain/site.ts";
import { type Config, readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { createDatabase, type TestDatabase } from "../../tests/postgres/databases.ts";
import { pendingListIndexes } from "../../tests/postgres/pending-list-indexes.ts";
import { crawl } from "../../tests/support/crawl.ts";
import { signIn } from "../../tests/support/members.ts";
import { memberNamed, people } from "../../tests/support/people.ts";
import { picture } from "../../tests/support/pictures.ts";
import { startServer } from "../../tests/support/process.ts";
import { type RunningS3, startS3 } from "../../tests/support/s3.ts";
import { worldStart } from "../../tests/support/template.ts";
import { openWeb } from "../../tests/support/web.ts";
import { move } from "./move.ts";
import { readOptions } from "./options.ts";

const secret = "a secret that only the tests know";
const posts = ["The Lighthouse Keeper’s Inventory", "On Keeping a Slow Inbox", "Naïve Café \u{1F4EE} Notes"];

let s3: RunningS3;
let folder: string;
let dataDir: string;
let database: TestDatabase;
/** A session of Maren from SQLite. */
let cookie: string;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: worldStart });
  s3 = await startS3();
  folder = mkdtempSync(join(tmpdir(), "inkstead-move-"));
  copyFileSync(inject("sqliteTemplate"), join(folder, "inkstead.db"));
  const site = await openSite(onSqlite(folder), createLog("silent"));
  await fill(site);
  await closeSite(site);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await s3.close();
  vi.useRealTimers();
});

beforeEach(async () => {
  dataDir = `${folder}-copy`;
  cpSync(folder, dataDir, { recursive: true });
  database = await createDatabase();
});
afterEach(async () => {
  rmSync(dataDir, { recursive: true });
  await database.drop();
});

async function fill(site: Site): Promise<void> {
  for (const [index, title] of posts.entries()) {
    const slug = `story-${index}`;
    const content = `${"A lamp in the window, and *rain* on it. ".repeat(20)}\n\n${title}`;
    await createPost(site, memberNamed("maren"), { title, slug, content, status: "active" }, await picture());
    await setLike(site, memberNamed("tobias"), slug, true);
    await setBookmark(site, memberNamed("ruth"), slug, true);
  }
  await sendMessage(site, memberNamed("tobias"), { to: people.maren.id, text: 'Dear Maren,\n\tit\'s "raining" \\ here.', sendId: "1" });
  // 1,200 with the one of the new conversation.
  const attempts = Array.from({ length: 1199 }, (_, number) => ({
    kind: "sign-in",
    subject: `${number}\0`,
    network: "",
    count: number,
    endsAt: worldStart,
  }));
  await site.db.insertInto("attempts").values(attempts).execute();
  ({ cookie } = await signIn({ site }, memberNamed("maren")));
}

function onSqlite(folder = dataDir): Config {
  return readConfig({ DATA_DIR: folder, SITE_URL: "http://inkstead.test", SECRET: secret });
}

function onPostgres(bucket: Record<string, string> = {}): Config {
  return readConfig({ ...bucket, DATABASE_URL: database.url, DATA_DIR: dataDir, SITE_URL: "http://inkstead.test", SECRET: secret });
}

/** Options as on the command line, with the bucket unless the files stay. */
function options(bucket: Record<string, string> | undefined, ...more: string[]) {
  const { FILES_URL, ...keys } = bucket ?? {};
  const files = FILES_URL ? ["--files", FILES_URL] : [];
  return readOptions(["--from", dataDir, "--to", database.url, ...files, ...more], keys);
}

async function run(moveOptions: ReturnType<typeof options>, signal: AbortSignal = new AbortController().signal) {
  let output = "";
  const isEqual = await move(moveOptions, { write: (text) => (output += text) }, signal);
  return { isEqual, output };
}

/** Aborts after some batches, like Ctrl-C. */
function afterBatches(batches: number): AbortSignal {
  let reads = 0;
  return {
    get aborted() {
      return reads++ >= batches;
    },
  } as AbortSignal;
}

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const pagesOf = async (config: Config, as?: string) => {
  const site = await openSite(config, createLog("silent"));
  try {
    return await crawl(openWeb({ site }), as);
  } finally {
    await closeSite(site);
  }
};

describe("a moved site", () => {
  test("shows the same pages and pictures, and keeps sessions", async () => {
    const bucket = s3.environment(s3.place());
    const before = { visitor: await pagesOf(onSqlite()), maren: await pagesOf(onSqlite(), cookie) };
    const { isEqual, output } = await run(options(bucket));
    expect(output).toMatch(/\n {2}posts +3 on SQLite, 3 on PostgreSQL, checksum [0-9a-f]{12} on both\n/);
    expect(output).toMatch(/\nEverything matches: \d+ tables, \d+ files?\.\n$/);
    expect(isEqual).toBe(true);

    rmSync(join(dataDir, "files"), { recursive: true });
    const moved = onPostgres(bucket);
    const after = { visitor: await pagesOf(moved), maren: await pagesOf(moved, cookie) };
    expect([...after.visitor.keys()]).toEqual([...before.visitor.keys()]);
    expect(after).toEqual(before);
    expect(before.visitor.size).toBeGreaterThan(20);
    expect(before.maren.get("/")?.body).not.toBe(before.visitor.get("/")?.body);
  });

  test("continues its counters, and has no traces of the move", async () => {
    await run(options(undefined));
    const [row] = await query("select nextval(pg_get_serial_sequence('posts', 'number')) as number");
    expect(Number(row?.number)).toBe(4);
    expect(await query("select from pg_class where relname = 'move_progress'")).toEqual([]);
    expect(await query(pendingListIndexes)).toEqual([]);
  });

  test("may keep its files in place", async () => {
    const { isEqual, output } = await run(options(undefined));
    expect(isEqual).toBe(true);
    expect(output).toContain(`stay in ${join(dataDir, "files")}\n`);
    expect(output).toContain(`DATA_DIR      ${dataDir}, where the files are`);
  });

  test("may have its files in a bucket already", async () => {
    const inBucket = readOptions(["--from", dataDir, "--to", database.url], { FILES_URL: "s3://letters?region=eu-west-1" });
    const { isEqual, output } = await run(inBucket);
    expect(isEqual).toBe(true);
    expect(output).toMatch(/\n {2}files +stay in the bucket of FILES_URL\n/);
    expect(output).toContain("\n  FILES_URL     as before, with its keys\n  SECRET ");
  });

  test("gets a reminder about its secret", async () => {
    writeFileSync(join(dataDir, "secret"), "kept");
    expect((await run(options(undefined))).output).toContain(`SECRET        "$(cat ${dataDir}/secret)"\n`);
  });
});

describe("an interrupted move", () => {
  test.each([1, 2, 3, 9])("resumes after %i batches without duplicates", async (batches) => {
    const bucket = s3.environment(s3.place());
    await expect(run(options(bucket), afterBatches(batches))).rejects.toThrow("Interrupted. Run the same command again");
    expect(await query("select count(*)::int as rows from attempts")).toEqual([{ rows: Math.min(batches * 500, 1200) }]);
    const { isEqual, output } = await run(options(bucket));
    expect(output).toContain(`1,200 rows, ${Math.min(batches * 500, 1200).toLocaleString("en-US")} of them already there\n`);
    expect(isEqual).toBe(true);
  });

  test("does not resume with other data, and restarts on request", async () => {
    await expect(run(options(undefined), afterBatches(2))).rejects.toThrow("Interrupted");
    change("update users set name = 'Somebody else' where id = (select id from users limit 1)");
    await expect(run(options(undefined))).rejects.toThrow("The site has changed since the move began");
    expect((await run(options(undefined, "--restart"))).isEqual).toBe(true);
  });
});

test("no site starts on a part of the data", async () => {
  await expect(run(options(undefined), afterBatches(2))).rejects.toThrow("Interrupted");
  const start = async () => closeSite(await openSite(onPostgres(), createLog("silent")));
  await expect(start()).rejects.toThrow("the move into the database of DATABASE_URL isn't finished. Repeat npm run move-to-postgres");
  expect((await run(options(undefined))).isEqual).toBe(true);
  await start();
});

describe("the comparison", () => {
  test("finds a different value, and the move reports it", async () => {
    await expect(run(options(undefined), afterBatches(4))).rejects.toThrow("Interrupted");
    await query("update attempts set count = count + 1 where subject like '7_'");
    const { isEqual, output } = await run(options(undefined));
    expect(isEqual).toBe(false);
    expect(output).toMatch(/attempts +1,200 on SQLite, 1,200 on PostgreSQL, checksum .+: DIFFERENT\n/);
    expect(output).toMatch(/\nNOT everything matches: attempts\. Start over with --restart\.\n$/);
    expect((await run(options(undefined, "--restart"))).isEqual).toBe(true);
  });
});

describe("a move is refused for", () => {
  test("a running site", async () => {
    const server = await startServer({ DATA_DIR: dataDir });
    await expect(run(options(undefined))).rejects.toThrow(`The site in ${dataDir} is running.`);
    expect((await fetch(`${server.url}/all-posts`)).status).toBe(200);
    await server.kill();
    expect((await run(options(undefined))).isEqual).toBe(true);
    await server.close();
  });

  test("a database on which a site is running", async () => {
    const site = await openSite(onPostgres(), createLog("silent"));
    await expect(run(options(undefined))).rejects.toThrow("A site on the database to move to is running. Stop it first.");
    await closeSite(site);
  });

  test("a database with a site", async () => {
    await run(options(undefined));
    await expect(run(options(undefined))).rejects.toThrow(/^DATABASE_URL, or --to, already contains a site: there are rows in accounts, /);
    const commands = new RegExp(`already contains a site: .+ It must be empty\\. As .+\\n {2}alter database "${database.name}" rename to `);
    await expect(run(options(undefined, "--restart"))).rejects.toThrow(commands);
  });

  test("a database with other tables", async () => {
    await query("create table orders (id int)");
    await expect(run(options(undefined))).rejects.toThrow("DATABASE_URL, or --to, contains other tables (orders). It must be empty.");
  });

  test("a site of another version", async () => {
    change("delete from migrations where name = (select max(name) from migrations)");
    await expect(run(options(undefined))).rejects.toThrow("Another version created the site's database");
  });

  test("two moves at once", async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query("select pg_advisory_lock($1)", [0x696e6b73]);
    await expect(run(options(undefined))).rejects.toThrow("Another move into this database is running.");
    await client.end();
  });

  test("a bucket or key that the store refuses, before anything is copied", async () => {
    const wrong = options({ ...s3.environment(s3.place()), AWS_ACCESS_KEY_ID: "SOMEBODYELSE" });
    await expect(run(wrong)).rejects.toThrow("FILES_URL, or the keys for it, can't be used: the store responded ");
    expect(await query("select from pg_tables where schemaname = 'public'")).toEqual([]);
  });

  test("an unreachable database", async () => {
    const away = readOptions(["--from", dataDir, "--to", "postgres://127.0.0.1:1/none"], {});
    await expect(run(away)).rejects.toThrow(/^DATABASE_URL, or --to, can't be opened: /);
  });
});

function change(sql: string): void {
  const site = new DatabaseSync(join(dataDir, "inkstead.db"));
  site.exec(sql);
  site.close();
}
