import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { picture } from "../../tests/pictures.ts";
import { signIn as openSession, openWorld, password, type World } from "../../tests/world.ts";
import { signIn } from "../accounts/accounts.server.ts";
import { requestRecovery } from "../accounts/recovery.server.ts";
import { record } from "../audit/audit.server.ts";
import { saveWorkingCopy } from "../drafts/working-copies.server.ts";
import { readFollowCounts, setFollow } from "../follows/follows.server.ts";
import { sendMessage } from "../messages/messages.server.ts";
import { subscribe } from "../newsletter/subscribers.server.ts";
import { setFeatured } from "../posts/moderation.server.ts";
import { createPost } from "../posts/posts.server.ts";
import { countView } from "../posts/views.server.ts";
import { readMemberPage } from "../profiles/member-page.server.ts";
import { updateProfile } from "../profiles/profiles.server.ts";
import { setBookmark, setLike } from "../reactions/reactions.server.ts";
import { report } from "../reports/reports.server.ts";
import { type Member, transaction } from "../site.ts";
import { deleteAccount } from "./departure.server.ts";
import { shownIn } from "./release-files.server.ts";
import { tracesForgotten } from "./traces.server.ts";

const origin = { address: "192.0.2.7", userAgent: "Zephyrbrowser/1" };

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const story = (slug: string, title: string, content: string) => ({ title, slug, content, status: "active" as const });

/** Every personal string that Maren leaves anywhere. */
const personal = [
  "Zsófia",
  "zsofia",
  "Quillfeather",
  "quillfeather",
  "quill@feather.example",
  "Stornowayish",
  "quillhandle",
  "Wrimblethorpe",
  "wrimblethorpe",
  "xyloquartz",
  "Zephyrbrowser",
  "a-private-filename",
];

/** A member who has used everything, and whom others have used. */
async function fullLife(): Promise<Member> {
  const { maren, tobias, site } = world;
  await site.db
    .updateTable("users")
    .set({ name: "Zsófia Quillfeather", email: "quill@feather.example" })
    .where("id", "=", maren.id)
    .execute();
  const member = { ...(await openSession(world, maren)).member, name: "Zsófia Quillfeather", email: "quill@feather.example" };
  const links = { website: "quillhandle.example", twitter: "@quillhandle", github: "quillhandle", linkedIn: "quillhandle" };
  const upload = { ...(await picture("a-private-filename.png", 500, 500)) };
  await updateProfile(
    site,
    member,
    { userName: "Zsófia Quillfeather", bio: "Wrimblethorpe born", location: "Stornowayish", ...links },
    upload,
  );
  await createPost(
    site,
    member,
    story("wrimblethorpe-nights", "Wrimblethorpe Nights", "On xyloquartz."),
    await picture("a-private-filename.jpg"),
  );
  await createPost(site, tobias, story("tides", "Tides", "Of the sea."), await picture());
  await setLike(site, member, "tides", true);
  await setBookmark(site, member, "tides", true);
  await setLike(site, tobias, "wrimblethorpe-nights", true);
  await countView(site, member, origin, "tides");
  await setFollow(site, member, { userId: tobias.id, following: true });
  await setFollow(site, tobias, { userId: member.id, following: true });
  await sendMessage(site, member, { to: tobias.id, text: "Meet me at xyloquartz", sendId: "1" });
  await sendMessage(site, tobias, { to: member.id, text: "Dear Quillfeather", sendId: "2" });
  await signIn(site, origin, { email: member.email, password });
  await signIn(site, origin, { email: member.email, password: "wrong one" }).catch(() => undefined);
  await requestRecovery(site, origin, member.email);
  await subscribe(site, origin, member.email);
  await expect.poll(() => world.letters.length).toBeGreaterThan(3);
  await report(site, tobias, { kind: "post", subjectId: "wrimblethorpe-nights", reason: "spam", note: "Read it" });
  await report(site, member, { kind: "post", subjectId: "tides", reason: "other", note: "Xyloquartz? I, Quillfeather, doubt it" });
  await setFeatured(site, world.ruth, "wrimblethorpe-nights", true);
  await transaction(site, (tx) => record(tx, member, { action: "post.pinned", subject: "post:tides", after: { by: member.email } }));
  const copy = {
    id: "working-copy-of-hers",
    userId: member.id,
    postId: null,
    postVersion: null,
    base: null,
    writer: "a-page-of-hers",
    count: 1,
  };
  const draft = {
    title: "Wrimblethorpe again",
    slug: "",
    slugTyped: false,
    content: "xyloquartz",
    status: "active" as const,
    featuredImage: null,
  };
  await saveWorkingCopy(site, member, { ...copy, draft });
  return member;
}

/** Every table of the database, whole. */
async function everyRow(): Promise<Map<string, string>> {
  const tables =
    world.site.engine === "sqlite"
      ? sql<{
          name: string;
        }>`select name from sqlite_master where type = 'table' and name not like 'posts_search%' and name not like 'search_words_similar%'`
      : sql<{
          name: string;
        }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const { rows } = await tables.execute(world.site.db);
  const found = new Map<string, string>();
  for (const { name } of rows) found.set(name, JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(world.site.db)).rows));
  return found;
}

/** The index itself, which can't be read as a table. */
async function foundBySearch(word: string): Promise<unknown[]> {
  if (world.site.engine === "postgres") return [];
  return (await sql`select rowid from posts_search where posts_search match ${`"${word}"`}`.execute(world.site.db)).rows;
}

function bytesOf(files: string[]): Buffer {
  return Buffer.concat(files.map((file) => readFileSync(file)));
}

function everyFile(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? everyFile(path) : [path];
  });
}

const tablesWith = async (text: string) => [...(await everyRow())].filter(([, rows]) => rows.includes(text)).map(([name]) => name);

describe("an account that is deleted", () => {
  test("leaves no personal string in any table, and none of its files", async () => {
    const member = await fullLife();
    const before = await Promise.all([...personal, member.id].map(async (text) => [text, await tablesWith(text)] as const));
    for (const [text, tables] of before) expect(tables, `${text} should have been somewhere`).not.toEqual([]);
    await deleteAccount(world.site, member, password);
    const rows = await everyRow();
    for (const text of personal) for (const [table, content] of rows) expect(content.includes(text), `${text} in ${table}`).toBe(false);
    // The id alone, which says nothing: that there was somebody, and the order of what happened.
    expect((await tablesWith(member.id)).sort()).toEqual(["departed", "events"]);
    const events = await world.site.db.selectFrom("events").select(["type", "data"]).execute();
    expect(events.filter(({ data }) => data.includes(member.id)).map(({ type }) => type)).toEqual(["chat.deleted"]);
    for (const text of personal.filter((each) => /^[a-z]+$/.test(each))) expect(await foundBySearch(text), text).toEqual([]);
    const kept = new Set((await world.site.db.selectFrom("files").select("id").execute()).map(({ id }) => id));
    const files = everyFile(join(world.dataDir, "files"));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      expect(
        [...kept].some((id) => file.includes(id)),
        file,
      ).toBe(true);
      for (const text of personal) expect(readFileSync(file).includes(text), `${text} in ${file}`).toBe(false);
    }
  });

  test("leaves none of their words in any file, those of the database included", async () => {
    const member = await fullLife();
    const before = bytesOf(everyFile(world.dataDir));
    for (const text of personal) expect(before.includes(text), `${text} should have been somewhere`).toBe(world.site.engine === "sqlite");
    await deleteAccount(world.site, member, password);
    const files = everyFile(world.dataDir);
    if (world.site.engine === "sqlite") expect(files.filter((file) => file.includes("inkstead.db")).length).toBeGreaterThan(1);
    for (const file of files) for (const text of personal) expect(readFileSync(file).includes(text), `${text} in ${file}`).toBe(false);
  });

  test("takes its likes, bookmarks and follows out of everybody's counters", async () => {
    const member = await fullLife();
    await deleteAccount(world.site, member, password);
    const tides = await world.site.db
      .selectFrom("posts")
      .select(["likesCount", "bookmarksCount"])
      .where("id", "=", "tides")
      .executeTakeFirst();
    expect(tides).toEqual({ likesCount: 0, bookmarksCount: 0 });
    expect(await readFollowCounts(world.site, world.tobias.id)).toEqual({ followers: 0, following: 0 });
  });

  test("can't be used any more, and its address answers that there was somebody", async () => {
    const member = await fullLife();
    await deleteAccount(world.site, member, password);
    await expect(signIn(world.site, origin, { email: member.email, password })).rejects.toMatchObject({ code: "invalid" });
    await expect(readMemberPage(world.site, null, member.id)).rejects.toMatchObject({ message: "User Not Found" });
    await expect(readMemberPage(world.site, null, "nobody")).rejects.not.toMatchObject({ message: "User Not Found" });
  });

  test("needs the password, and a visitor has none to delete", async () => {
    await expect(deleteAccount(world.site, world.maren, "wrong one")).rejects.toMatchObject({ code: "invalid", field: "password" });
    await expect(deleteAccount(world.site, null, password)).rejects.toMatchObject({ code: "sign-in-first" });
    expect((await readMemberPage(world.site, null, world.maren.id)).profile.name).toBe("Maren Oduya");
  });

  test("gets one last letter", async () => {
    const member = await fullLife();
    await deleteAccount(world.site, member, password);
    expect(world.letters.at(-1)).toMatchObject({ to: "quill@feather.example", subject: "Your account at Inkstead has been deleted" });
  });

  test("leaves a picture that it gave to somebody else's story", async () => {
    const { maren, tobias, site } = world;
    await createPost(site, tobias, story("tides", "Tides", "Of the sea."), await picture());
    await site.db.updateTable("files").set({ ownerId: maren.id }).execute();
    await deleteAccount(site, maren, password);
    const file = await site.db.selectFrom("files").select(["attachedAt", "ownerId"]).executeTakeFirst();
    expect(file).toEqual({ attachedAt: expect.any(Number), ownerId: null });
  });

  test("of many stories goes in one piece", async () => {
    const { maren, site } = world;
    const texts = { userName: maren.name, title: "A story", content: "", markdown: "", summary: "", plainText: "", words: 0 };
    const rest = {
      featuredImage: null,
      featured: false,
      pinned: false,
      views: 0,
      likesCount: 0,
      bookmarksCount: 0,
      createdAt: 1,
      updatedAt: 1,
    };
    const rows = Array.from({ length: 250 }, (_, index) => ({
      id: `story-${index}`,
      userId: maren.id,
      status: "active" as const,
      ...texts,
      ...rest,
    }));
    await site.db.insertInto("posts").values(rows).execute();
    await deleteAccount(site, maren, password);
    expect(await site.db.selectFrom("posts").select("id").execute()).toEqual([]);
  });
});

describe("what others add to the database", () => {
  test("no column names a member without being known here", async () => {
    const columns = await everyColumn();
    const names =
      /(?:user|owner|sender|receiver|author|member|partner|viewer|follower|followed|blocked|reporter|admin|actor|editor)(?:Id|Key|Name)?$|UserId$|By$|email/i;
    const bound = await boundColumns("users");
    const unknown = columns.filter(
      (column) => names.test(column.split(".")[1] ?? "") && !bound.has(column) && !(column in tracesForgotten),
    );
    expect(unknown, "say in domain/departure/traces.server.ts what becomes of these when an account is deleted").toEqual([]);
  });

  test("no column shows a file without being known here", async () => {
    // Pieces are the file itself, and go with it.
    const known = new Set<string>([...shownIn.map(({ table, column }) => `${table}.${column}`), "file_pieces.fileId"]);
    const unknown = [...(await boundColumns("files"))].filter((column) => !known.has(column));
    expect(unknown, "add these to domain/departure/release-files.server.ts").toEqual([]);
  });
});

async function everyColumn(): Promise<string[]> {
  const columns =
    world.site.engine === "sqlite"
      ? sql<{ name: string }>`select m.name || '.' || c.name as name from sqlite_master m join pragma_table_info(m.name) c
          where m.type = 'table' and m.name not like 'posts_search%' and m.name not like 'search_words_similar%'`
      : sql<{
          name: string;
        }>`select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`;
  return (await columns.execute(world.site.db)).rows.map(({ name }) => name);
}

/** Columns with a foreign key to a table that removes or clears them with the row they point to. */
async function boundColumns(table: string): Promise<Set<string>> {
  const keys =
    world.site.engine === "sqlite"
      ? sql<{ name: string }>`select m.name || '.' || f."from" as name from sqlite_master m join pragma_foreign_key_list(m.name) f
          where m.type = 'table' and f."table" = ${table} and f.on_delete in ('CASCADE', 'SET NULL')`
      : sql<{ name: string }>`select t.relname || '.' || a.attname as name from pg_constraint c
          join pg_class t on t.oid = c.conrelid join pg_class r on r.oid = c.confrelid
          join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
          where c.contype = 'f' and r.relname = ${table} and c.confdeltype in ('c', 'n')`;
  return new Set((await keys.execute(world.site.db)).rows.map(({ name }) => name));
}
