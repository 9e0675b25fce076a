import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { listBackups, makeBackup } from "#domain/backups/backups.server.ts";
import { excludedTables } from "#domain/backups/make-archive.server.ts";
import { setFollow } from "#domain/follows/follows.server.ts";
import { sendAttachment } from "#domain/messages/attachments.server.ts";
import { readMessages } from "#domain/messages/chat.server.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { createPost } from "#domain/posts/posts.server.ts";
import { updateProfile } from "#domain/profiles/profiles.server.ts";
import { setBookmark, setLike } from "#domain/reactions/reactions.server.ts";
import { report } from "#domain/reports/reports.server.ts";
import { listPosts } from "#domain/search/lists.server.ts";
import { saveSettings } from "#domain/settings/settings.server.ts";
import type { Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import { Checksum } from "#platform/copy/columns.ts";
import { openSnapshot } from "#platform/copy/snapshot.ts";
import type { Engine } from "#platform/database/engine.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { createDatabase, type TestDatabase } from "../../tests/postgres/databases.ts";
import { pendingListIndexes } from "../../tests/postgres/pending-list-indexes.ts";
import { crawl } from "../../tests/support/crawl.ts";
import { signIn } from "../../tests/support/members.ts";
import { memberNamed } from "../../tests/support/people.ts";
import { picture } from "../../tests/support/pictures.ts";
import { searchPosts } from "../../tests/support/posts.ts";
import { worldStart } from "../../tests/support/template.ts";
import { openWeb } from "../../tests/support/web.ts";
import { readOptions } from "./options.ts";
import { restore } from "./restore.ts";

const [maren, tobias, ruth] = [memberNamed("maren"), memberNamed("tobias"), memberNamed("ruth")];

/** Data folder and database of a site. */
type Place = { environment: Record<string, string>; database: TestDatabase | undefined };

let folder: string;
const places: Place[] = [];
const open: Site[] = [];

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: worldStart });
  folder = mkdtempSync(join(tmpdir(), "inkstead-other-engine-"));
});
afterAll(async () => {
  for (const site of open) await closeSite(site);
  for (const { database } of places) await database?.drop();
  rmSync(folder, { recursive: true });
  vi.useRealTimers();
});

async function newPlace(engine: Engine, template?: string): Promise<Place> {
  const database = engine === "postgres" ? await createDatabase(template) : undefined;
  const dataDir = join(folder, `place-${places.length}`);
  mkdirSync(dataDir);
  const secret = "a secret that only the tests know";
  const place = {
    database,
    environment: { SITE_URL: "http://inkstead.test", SECRET: secret, DATA_DIR: dataDir, DATABASE_URL: database?.url ?? "" },
  };
  places.push(place);
  return place;
}

async function openPlace({ environment }: Place): Promise<Site> {
  const site = await openSite(readConfig(environment), createLog("silent"));
  open.push(site);
  return site;
}

/** A row in most tables. */
async function fill(site: Site): Promise<void> {
  await updateProfile(
    site,
    maren,
    {
      userName: "Maren Oduya",
      bio: "Keeps a *lighthouse*. \u{1f319}",
      location: "Stornoway",
      website: "",
      twitter: "",
      github: "",
      linkedIn: "",
    },
    await picture("me.png", 500, 500),
  );
  for (const [index, title] of ["Naïve Café \u{1f4ee} Notes", 'Nächte \\ "raining"', "Kept Back"].entries()) {
    const content = `${"A lamp in the window, and *rain* on it.\n\n".repeat(5)}\t${title}`;
    const status = title === "Kept Back" ? "inactive" : "active";
    await createPost(site, maren, { title, slug: `story-${index}`, content, status }, await picture("a.jpg", 60 + index, 30));
  }
  await setLike(site, tobias, "story-0", true);
  await setBookmark(site, tobias, "story-1", true);
  await setFollow(site, tobias, { userId: maren.id, following: true });
  await sendMessage(site, tobias, { to: maren.id, text: "Dear Maren,\n\tit's raining \u{1f327} here.", sendId: "letter-1" });
  await sendAttachment(site, maren, { to: tobias.id, sendId: "letter-2", upload: await picture("lamp.png", 64, 48) });
  await report(site, tobias, { kind: "post", subjectId: "story-0", reason: "other", note: "Not his own words" });
  await saveSettings(site, ruth, { siteName: "Night Bus", maxPostsPerUser: 7 });
}

/** Each table's rows in a form that both engines share. */
async function tablesOf({ environment }: Place): Promise<Record<string, string>> {
  const snapshot = await openSnapshot(readConfig(environment));
  const sums: Record<string, string> = {};
  for (const table of snapshot.tables.filter(({ name }) => !excludedTables.includes(name))) {
    const sum = new Checksum();
    const order = table.columns.map(({ name }, index) => [name, index] as const).sort(([a], [b]) => (a < b ? -1 : 1));
    for await (const row of snapshot.rows(table)) sum.add(order.map(([, index]) => row[index] ?? null));
    sums[table.name] = `${sum.rows} rows, ${sum}`;
  }
  await snapshot.close();
  return sums;
}

/** Pages and files as a member gets them. */
async function seenBy(site: Site, cookie: string) {
  const seen = await crawl(openWeb({ site }), cookie);
  return new Map([...seen].map(([path, { status, type, body }]) => [path, `${status} ${type} ${body}`]));
}

async function restored(from: string, engine: Engine): Promise<{ place: Place; output: string }> {
  const place = await newPlace(engine);
  let output = "";
  await restore(readOptions([from], place.environment), { write: (text) => (output += text) });
  return { place, output };
}

test("a backup restores from SQLite to PostgreSQL and back to an equal site", { timeout: 600_000 }, async () => {
  const first = await newPlace("sqlite");
  copyFileSync(inject("sqliteTemplate"), join(first.environment.DATA_DIR ?? "", "inkstead.db"));
  const onSqlite = await openPlace(first);
  await fill(onSqlite);
  const { cookie } = await signIn({ site: onSqlite }, maren);

  const there = await restored((await makeBackup(onSqlite, "console")).path, "postgres");
  expect(there.output).toMatch(/from SQLite\n(.*\n)*Everything matches: \d+ tables with [\d,]+ rows, \d+ files?\./);
  expect(await tablesOf(there.place)).toEqual(await tablesOf(first));
  const onPostgres = await openPlace(there.place);
  expect(onPostgres.engine).toBe("postgres");
  expect((await sql.raw(pendingListIndexes).execute(onPostgres.db)).rows).toEqual([]);
  const seen = await seenBy(onSqlite, cookie);
  expect([...seen.keys()].filter((path) => path.startsWith("/files/")).length).toBeGreaterThan(3);
  expect(await seenBy(onPostgres, cookie)).toEqual(seen);

  // The site works: new rows continue its numbers and counts.
  await createPost(
    onPostgres,
    maren,
    { title: "Since then", slug: "since-then", content: "On another engine.", status: "active" },
    await picture(),
  );
  await setLike(onPostgres, ruth, "story-0", true);
  await sendMessage(onPostgres, maren, { to: tobias.id, text: "Here too.", sendId: "letter-3" });

  const back = await restored((await makeBackup(onPostgres, "console")).path, "sqlite");
  expect(back.output).toMatch(/from PostgreSQL\n(.*\n)*Everything matches/);
  expect(await tablesOf(back.place)).toEqual(await tablesOf(there.place));
  const again = await openPlace(back.place);
  expect(again.engine).toBe("sqlite");
  const { featuredImage } = await again.db
    .selectFrom("posts")
    .select("featuredImage")
    .where("id", "=", "since-then")
    .executeTakeFirstOrThrow();
  const picturesOf = (site: Site) => site.files.get(`${featuredImage}/original`);
  expect(await picturesOf(again)).toEqual(await picturesOf(onPostgres));
  expect((await readMessages(again, maren, tobias.id)).messages.map(({ number, message }) => [number, message])).toEqual([
    [1, "Dear Maren,\n\tit's raining \u{1f327} here."],
    [2, "lamp.png"],
    [3, "Here too."],
  ]);

  await sendMessage(again, tobias, { to: maren.id, text: "And back.", sendId: "letter-4" });
  expect((await readMessages(again, maren, tobias.id)).messages.at(-1)).toMatchObject({ number: 4, message: "And back." });
  const slug = (await createPost(again, maren, { title: "Home again", slug: "home-again", content: "", status: "active" }, await picture()))
    .id;
  const found = await searchPosts(again, { text: "since then", limit: 5 });
  expect(found.map(({ id }) => id)).toEqual(["since-then"]);
  expect((await listPosts(again, { sort: "newest", limit: 1 })).posts.map(({ id }) => id)).toEqual([slug]);
  expect(await listBackups(again, ruth)).toEqual([]);
});
