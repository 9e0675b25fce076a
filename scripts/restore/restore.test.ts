import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { makeBackup } from "#domain/backups/backups.server.ts";
import { discardFile } from "#domain/files/files.server.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { createPost, deletePost } from "#domain/posts/posts.server.ts";
import { listUsers } from "#domain/profiles/admin-users.server.ts";
import { setBookmark, setLike } from "#domain/reactions/reactions.server.ts";
import { listPosts } from "#domain/search/lists.server.ts";
import { saveSettings } from "#domain/settings/settings.server.ts";
import { transaction } from "#domain/site.ts";
import { type Config, readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { createDatabase, type TestDatabase } from "../../tests/postgres/databases.ts";
import { picture } from "../../tests/support/pictures.ts";
import { expectExactCounters } from "../../tests/support/rows.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { readOptions } from "./options.ts";
import { restore } from "./restore.ts";

const onPostgres = inject("engine") === "postgres";
/** Each backup and restore runs in its own process. */

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await saveSettings(world.site, world.ruth, { maxPostsPerUser: 100_000 });
});
afterAll(() => world.close());

/** Targets of restores. */
let target: { environment: Record<string, string>; database: TestDatabase | undefined; folder: string };
let targets = 0;
beforeEach(async () => {
  const database = onPostgres ? await createDatabase() : undefined;
  const folder = join(world.dataDir, `restored-${++targets}`);
  mkdirSync(folder);
  const environment = { ...world.environment, DATA_DIR: folder, DATABASE_URL: database?.url ?? "" };
  target = { environment, database, folder };
});
afterEach(async () => {
  rmSync(target.folder, { recursive: true });
  await target.database?.drop();
});

async function restoreFrom(file: string, ...more: string[]): Promise<string> {
  let output = "";
  await restore(readOptions([file, ...more], target.environment), { write: (text) => (output += text) });
  return output;
}

/** The restored site, opened as a server would. */
async function readRestored<Result>(
  read: (site: Awaited<ReturnType<typeof openSite>>, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(target.environment);
  const site = await openSite(config, createLog("silent"));
  try {
    return await read(site, config);
  } finally {
    await closeSite(site);
  }
}

const publish = async (slug: string) =>
  createPost(world.site, world.maren, { title: slug, slug, content: `All of ${slug}.`, status: "active" }, await picture());

describe("a backup made under writes", () => {
  test("restores to a consistent state", async () => {
    const { site, maren, tobias, salma, ruth } = world;
    let writing = true;
    const written = { sentMessages: 0, posts: 0, entries: 0 };
    // Without a pause, thousands of rows would be written before a busy machine finishes the backup.
    const until = async (work: () => Promise<void>, pause = 10) => {
      for (; writing; await new Promise((resolve) => setTimeout(resolve, pause))) await work();
    };
    const people = [maren, tobias, ruth];
    const writers = [0, 1, 2].map((which) =>
      until(async () => {
        const [from, to] = [people[which], people[(which + 1 + (written.sentMessages % 2)) % 3]];
        if (!from || !to) return;
        // Below the rate limit, and slow enough for the backup's heartbeat.
        world.clock.advance(200);
        await sendMessage(site, from, { to: to.id, text: `Letter ${written.sentMessages}`, sendId: `${which}-${written.sentMessages++}` });
      }, 200),
    );
    writers.push(
      until(async () => {
        const slug = `story-${written.posts++}`;
        await publish(slug);
        await setLike(site, tobias, slug, true);
        await setBookmark(site, salma, slug, true);
        if (written.posts % 3 === 0) await deletePost(site, maren, slug);
      }),
      // One writer inserts the same number into two tables: a consistent snapshot has it in both or neither.
      until(async () => {
        const key = `ledger:${String(written.entries).padStart(6, "0")}`;
        await transaction(site, async (tx) => {
          await tx.db
            .insertInto("attempts")
            .values({ kind: "ledger", subject: key, network: "", count: written.entries, endsAt: Number.MAX_SAFE_INTEGER })
            .execute();
          await new Promise((resolve) => setTimeout(resolve, 1));
          await tx.db.insertInto("deleted_accounts").values({ userId: key, deletedAt: written.entries }).execute();
        });
        written.entries++;
      }),
    );
    while (written.entries < 30 || written.posts < 4) await new Promise((resolve) => setTimeout(resolve, 20));
    const before = { ...written };
    const { path, report } = await makeBackup(site, "console");
    const after = { ...written };
    writing = false;
    await Promise.all(writers);
    expect(after.entries).toBeGreaterThan(before.entries);
    expect(report.missing).toEqual({ count: 0, first: [] });
    expect(report.testedOn).toBe(inject("engine"));

    expect(await restoreFrom(path)).toMatch(/Everything matches: \d+ tables with [\d,]+ rows, \d+ files?\.\n$/);
    await readRestored(async (restored) => {
      const one = async (query: ReturnType<typeof sql<Record<string, number>>>) => (await query.execute(restored.db)).rows[0] ?? {};
      const ledger = await one(sql`select
        (select count(*) from attempts where kind = 'ledger') as first, (select max(count) + 1 from attempts where kind = 'ledger') as highest,
        (select count(*) from deleted_accounts) as second,
        (select count(*) from attempts a join deleted_accounts d on d."userId" = a.subject and d."deletedAt" = a.count) as both`);
      const { first = 0 } = ledger;
      expect(ledger).toEqual({ first, highest: first, second: first, both: first });
      expect(first).toBeGreaterThanOrEqual(before.entries);
      expect(first).toBeLessThanOrEqual(after.entries + 1);
      expect(
        await one(sql`select
          (select count(*) from conversations c where c."lastNumber" <> (select count(*) from messages m where m."conversationId" = c.id)) as numbering,
          (select count(*) from participants p where p."unreadCount" <>
            (select count(*) from messages m where m."receiverId" = p."userId" and m."senderId" = p."partnerId" and m."isRead" = false)) as unread,
          (select count(*) from posts p where p."likesCount" <> (select count(*) from likes l where l."postId" = p.id)) as likes,
          (select count(*) from posts p where p."bookmarksCount" <> (select count(*) from bookmarks b where b."postId" = p.id)) as bookmarks,
          (select count(*) from posts p where not exists (select 1 from files f where f.id = p."featuredImage" and f."attachedAt" is not null)) as pictures,
          (select count(*) from posts p where not exists (select 1 from rankings r where r.number = p.number)) as rankings,
          (select coalesce(sum(value), 0) from counters where name = 'messages') - (select count(*) from messages) as messages,
          (select coalesce(sum(value), 0) from counters where name = 'published') - (select count(*) from posts) as published`),
      ).toEqual({ numbering: 0, unread: 0, likes: 0, bookmarks: 0, pictures: 0, rankings: 0, messages: 0, published: 0 });
      const posts = await restored.db.selectFrom("posts").select(["id", "featuredImage"]).execute();
      expect(posts.length).toBeGreaterThan(0);
      for (const { featuredImage } of posts) expect(await restored.files.size(`${featuredImage}/original`)).toBeGreaterThan(0);
      // The site works: counters, search and numbers continue.
      const { number } = await restored.db
        .selectFrom("posts")
        .select((eb) => eb.fn.max("number").as("number"))
        .executeTakeFirstOrThrow();
      await createPost(restored, maren, { title: "After it", slug: "after-it", content: "", status: "active" }, await picture());
      const next = await restored.db.selectFrom("posts").select("number").where("id", "=", "after-it").executeTakeFirstOrThrow();
      expect(next.number).toBeGreaterThan(Number(number));
      expect(
        await one(sql`select (select sum(value) from counters where name = 'published') - (select count(*) from posts) as published`),
      ).toEqual({ published: 0 });
    });
  });

  test("keeps deleted files until it has copied them", async () => {
    const { site, maren } = world;
    await publish("goes-away");
    const { featuredImage } = await site.db
      .selectFrom("posts")
      .select("featuredImage")
      .where("id", "=", "goes-away")
      .executeTakeFirstOrThrow();
    const backup = makeBackup(site, "console", () => {});
    await expect
      .poll(() => site.db.selectFrom("jobs").select("heldUntil").where("name", "=", "backups").executeTakeFirst())
      .not.toMatchObject({ heldUntil: 0 });
    await deletePost(site, maren, "goes-away");
    await discardFile(site, featuredImage ?? "");
    expect(await site.files.size(`${featuredImage}/original`)).toBeGreaterThan(0);
    expect((await backup).report.missing.count).toBe(0);
    await discardFile(site, featuredImage ?? "");
    expect(await site.files.size(`${featuredImage}/original`)).toBeUndefined();
  });
});

describe("restoring", () => {
  let path: string;
  beforeAll(async () => {
    await publish(`lamp-${Math.random().toString(36).slice(2, 8)}`);
    ({ path } = await makeBackup(world.site, "console"));
  });

  test("refuses a target with a site, replaces it on request, and changes nothing on failure", async () => {
    await restoreFrom(path);
    await readRestored((site) => saveSettings(site, world.ruth, { siteName: "Written since" }));
    await expect(restoreFrom(path)).rejects.toThrow("Use --overwrite to replace it");
    const broken = join(target.folder, "broken.tar");
    const bytes = readFileSync(path);
    const changed = Buffer.from(bytes);
    changed[bytes.indexOf("tables/users/") + 600] = (changed[bytes.indexOf("tables/users/") + 600] ?? 0) ^ 1;
    for (const [content, reason] of [
      [bytes.subarray(0, bytes.byteLength - 4096), /incomplete|can't be read/],
      [bytes.subarray(0, Math.floor(bytes.byteLength / 2)), /incomplete|can't be read/],
      [changed, /damaged|can't be read/],
      [Buffer.from("A letter that is no backup."), /no backup|can't be read/],
    ] as const) {
      writeFileSync(broken, content);
      await expect(restoreFrom(broken, "--overwrite")).rejects.toThrow(reason);
    }
    expect(await readRestored(async (site) => site.settings.siteName)).toBe("Written since");
    await restoreFrom(path, "--overwrite");
    expect(await readRestored(async (site) => site.settings.siteName)).toBe("Inkstead");
  });

  test("leaves nothing behind when the backup is damaged", async () => {
    const [folder, broken] = [join(target.folder, "never-there"), join(target.folder, "cut.tar")];
    const bytes = readFileSync(path);
    for (const content of [bytes.subarray(0, bytes.byteLength - 4096), Buffer.from("A letter that is no backup.")]) {
      writeFileSync(broken, content);
      const options = readOptions([broken], { SITE_URL: target.environment.SITE_URL, DATA_DIR: folder });
      await expect(restore(options, { write: () => true })).rejects.toThrow(/incomplete|can't be read|no backup/);
      expect(existsSync(folder)).toBe(false);
    }
  });

  test("refuses while the site is running", async () => {
    await restoreFrom(path);
    await readRestored(async (site) => {
      await site.db.selectFrom("users").select("id").execute();
      await expect(restoreFrom(path, "--overwrite")).rejects.toThrow("is running. Stop it first.");
    });
  });

  test("waits for a site that is stopping", async () => {
    await restoreFrom(path);
    const site = await openSite(readConfig(target.environment), createLog("silent"));
    await site.db.selectFrom("users").select("id").execute();
    const ended = wait(500).then(() => closeSite(site));
    // SQLite's busy timeout would block this thread, on which the site stops.
    if (!onPostgres) await ended;
    await expect(restoreFrom(path, "--overwrite")).resolves.toBeDefined();
    await ended;
  });

  test("migrates a site of the first release", async () => {
    await restoreFrom("tests/databases/first-release.tar");
    await readRestored(async (site) => {
      const [maren] = (await listUsers(site, world.ruth, { search: "oduya", sort: "name", limit: 9, page: 1 })).users;
      expect(maren?.email).toBe("maren@example.com");
      await expectExactCounters(site);
      expect((await listPosts(site, { sort: "newest", limit: 5 })).posts).toHaveLength(5);
    });
  });

  test("reports a different secret", async () => {
    target.environment.SECRET = "another secret that nobody has used before";
    expect(await restoreFrom(path)).toContain("made with another SECRET");
  });

  test("reports wrong options", () => {
    expect(() => readOptions([], {})).toThrow("Name one backup file.");
    expect(() => readOptions(["nowhere.tar"], {})).toThrow(`There is no file ${resolve("nowhere.tar")}.`);
    // A file that exists but can't be read, also for root, who may read a forbidden one.
    const endless = join(target.folder, "endless.tar");
    symlinkSync(endless, endless);
    expect(() => readOptions([endless], {})).toThrow(`This account can't read ${endless} (ELOOP). Copy it to where it can`);
    expect(() => readOptions([path, "--ovrwrite"], {})).toThrow("Usage:");
  });
});
