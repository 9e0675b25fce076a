import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readMemberPage } from "#domain/pages/member-page.server.ts";
import { hours } from "#platform/time.ts";
import { createMemberWithData, origin } from "../../tests/support/member-with-data.ts";
import { picture } from "../../tests/support/pictures.ts";
import { plansOf } from "../../tests/support/query-plans.ts";
import { everyRow } from "../../tests/support/rows.ts";
import { openWorld, password, type World } from "../../tests/support/world.ts";
import { signIn } from "../accounts/accounts.server.ts";
import { verifyAudit } from "../audit/chain.server.ts";
import { fileReferences } from "../files/files.server.ts";
import { readFollowCounts } from "../follows/follows.server.ts";
import { curatePost } from "../moderation/posts/moderation.server.ts";
import { undoModerationAction } from "../moderation/undo.server.ts";
import { sendBundleEmails } from "../notification-channels/bundle-emails.server.ts";
import { sendDigests } from "../notification-channels/digests.server.ts";
import { saveNotificationSettings } from "../notifications/preferences.server.ts";
import { createPost, deletePost, eraseDeleted } from "../posts/posts.server.ts";
import { setLike } from "../reactions/reactions.server.ts";
import { report, setReportStatus } from "../reports/reports.server.ts";
import { finishDeletions } from "./cleanups.server.ts";
import { deleteAccount } from "./delete-account.server.ts";
import { personalDataReferences, removePersonalData } from "./personal-data-references.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const post = (slug: string, title: string, content: string) => ({ title, slug, content, status: "active" as const });

/** All personal strings of Maren. */
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

/** The search index, which can't be read as a table. */
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

const tablesWith = async (text: string) =>
  [...(await everyRow(world.site))].filter(([, rows]) => rows.some((row) => row.includes(text))).map(([name]) => name);

async function eventsNaming(id: string): Promise<string[]> {
  const events = await world.site.db.selectFrom("events").select(["type", "data"]).execute();
  return events.filter(({ data }) => data.includes(id)).map(({ type }) => type);
}

describe("account deletion", () => {
  test("removes all personal data and files", async () => {
    const member = await createMemberWithData(world);
    const before = await Promise.all([...personal, member.id].map(async (text) => [text, await tablesWith(text)] as const));
    for (const [text, tables] of before) expect(tables, `${text} should have been somewhere`).not.toEqual([]);
    await deleteAccount(world.site, member, password);
    const rows = await everyRow(world.site);
    for (const text of personal)
      for (const [table, content] of rows) expect(content.join().includes(text), `${text} in ${table}`).toBe(false);
    // Only the member's random id remains: in the audit log, the reserved ids and the event log.
    expect((await tablesWith(member.id)).sort()).toEqual(["audit_log", "deleted_accounts", "events"]);
    expect(await eventsNaming(member.id)).toEqual(["chat.deleted"]);
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

  test("removes the member's words from all files, including the database's", async () => {
    const member = await createMemberWithData(world);
    const before = bytesOf(everyFile(world.dataDir));
    for (const text of personal) expect(before.includes(text), `${text} should have been somewhere`).toBe(world.site.engine === "sqlite");
    await deleteAccount(world.site, member, password);
    const files = everyFile(world.dataDir);
    if (world.site.engine === "sqlite") expect(files.filter((file) => file.includes("inkstead.db")).length).toBeGreaterThan(1);
    for (const file of files) for (const text of personal) expect(readFileSync(file).includes(text), `${text} in ${file}`).toBe(false);
  });

  test("empties what the audit log says about erased stories and reports, but not about later stories at their address", async () => {
    const { site, maren, tobias, ruth } = world;
    await createPost(site, maren, post("quillfeather", "Wrimblethorpe", "One."), await picture());
    await report(site, tobias, { kind: "post", subjectId: "quillfeather", reason: "spam", note: "" });
    const { id } = await site.db.selectFrom("reports").select("id").executeTakeFirstOrThrow();
    await setReportStatus(site, ruth, id, "dismissed", "Wrimblethorpe is a town");
    await curatePost(site, ruth, "quillfeather", { featured: true });
    const { id: featured } = await site.db.selectFrom("moderation_actions").select("id").executeTakeFirstOrThrow();
    await undoModerationAction(site, ruth, featured);
    await deletePost(site, ruth, "quillfeather", { reason: "Of Wrimblethorpe" });
    await eraseDeleted(site, ruth, "quillfeather");
    await createPost(site, tobias, post("quillfeather", "Tides", "Two."), await picture());
    await curatePost(site, ruth, "quillfeather", { featured: true });
    await deleteAccount(site, maren, password);
    const log = await site.db.selectFrom("audit_log").select(["subject", "before", "after"]).orderBy("number").execute();
    expect(JSON.stringify(log)).not.toContain("Wrimblethorpe");
    const gone = Array.from({ length: 4 }, () => "post:gone");
    expect(log.map(({ subject }) => subject)).toEqual([`report:${id}`, ...gone, "post:quillfeather"]);
    expect(JSON.stringify(log[0])).not.toContain("quillfeather");
    expect(await verifyAudit(site, null)).toMatchObject({ blanked: 5, changed: [], broken: [] });
  });

  test.each(["at-once", "daily"] as const)("removes waiting emails to others that name the member, sent %s", async (email) => {
    const { site, tobias } = world;
    await createPost(site, tobias, post("moor", "Moor", "Of the moor."), await picture());
    await saveNotificationSettings(site, tobias, { preferences: { like: { onSite: true, email } } });
    const member = await createMemberWithData(world);
    world.clock.advance(1);
    await setLike(site, member, "moor", true);
    const send = () => Promise.reject(new Error("the mail server is down"));
    site.mail = { ...site.mail, send };
    world.clock.advance(hours(24));
    expect((await sendBundleEmails(site)) + (await sendDigests(site))).toBeGreaterThan(0);
    const waiting = () =>
      site.db.selectFrom("outbox").select("message").where("address", "=", tobias.email).where("state", "<>", "sent").execute();
    expect((await waiting()).map(({ message }) => message?.includes("Quillfeather"))).toContain(true);
    await deleteAccount(site, member, password);
    expect((await waiting()).filter(({ message }) => message?.includes("Quillfeather"))).toEqual([]);
  });

  test("is finished by the sweep after an interruption", async () => {
    const member = await createMemberWithData(world);
    const mail = { ...world.site.mail, deleteMatching: () => Promise.reject(new Error("the disk failed")) };
    await deleteAccount({ ...world.site, mail }, member, password);
    expect(await tablesWith("wrimblethorpe")).toEqual(expect.arrayContaining(["deletion_cleanups", "search_words"]));
    await finishDeletions(world.site);
    for (const text of personal) expect([text, await tablesWith(text)]).toEqual([text, []]);
    expect(await eventsNaming(member.id)).toEqual(["chat.deleted"]);
    for (const file of everyFile(world.dataDir)) for (const text of personal) expect(readFileSync(file).includes(text), text).toBe(false);
  });

  test("decrements the counters of likes, bookmarks and follows", async () => {
    const member = await createMemberWithData(world);
    await deleteAccount(world.site, member, password);
    const tides = await world.site.db
      .selectFrom("posts")
      .select(["likesCount", "bookmarksCount"])
      .where("id", "=", "tides")
      .executeTakeFirst();
    expect(tides).toEqual({ likesCount: 0, bookmarksCount: 0 });
    expect(await readFollowCounts(world.site, world.tobias.id)).toEqual({ followers: 0, following: 0 });
  });

  test("ends access, and the profile shows that the account was deleted", async () => {
    const member = await createMemberWithData(world);
    await deleteAccount(world.site, member, password);
    await expect(signIn(world.site, origin, { email: member.email, password })).rejects.toMatchObject({ code: "invalid" });
    await expect(readMemberPage(world.site, null, member.id)).rejects.toMatchObject({ message: "User Not Found" });
    await expect(readMemberPage(world.site, null, "nobody")).rejects.not.toMatchObject({ message: "User Not Found" });
  });

  test("requires the password", async () => {
    await expect(deleteAccount(world.site, world.maren, "wrong one")).rejects.toMatchObject({ code: "invalid", field: "password" });
    await expect(deleteAccount(world.site, null, password)).rejects.toMatchObject({ code: "sign-in-required" });
    expect((await readMemberPage(world.site, null, world.maren.id)).profile.name).toBe("Maren Oduya");
  });

  test("sends one last email", async () => {
    const member = await createMemberWithData(world);
    await deleteAccount(world.site, member, password);
    expect(world.emails.at(-1)).toMatchObject({ to: "quill@feather.example", subject: "Your Inkstead account has been deleted" });
  });

  test("keeps pictures used in other members' stories", async () => {
    const { maren, tobias, site } = world;
    await createPost(site, tobias, post("tides", "Tides", "Of the sea."), await picture());
    await site.db.updateTable("files").set({ ownerId: maren.id }).execute();
    await deleteAccount(site, maren, password);
    const file = await site.db.selectFrom("files").select(["attachedAt", "ownerId"]).executeTakeFirst();
    expect(file).toEqual({ attachedAt: expect.any(Number), ownerId: null });
  });

  test("deletes many stories in batches", async () => {
    const { maren, site } = world;
    const texts = { userName: maren.name, title: "A story", content: "", markdown: "", summary: "", plainText: "", words: 0 };
    const rest = {
      featuredImage: null,
      featured: false,
      pinned: false,
      views: 0,
      likesCount: 0,
      bookmarksCount: 0,
      publishedAt: 1,
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

describe("data added later", () => {
  test("every column that names a member is listed", async () => {
    const columns = await everyColumn();
    const names =
      /(?:user|owner|sender|receiver|author|member|partner|viewer|follower|followed|blocked|reporter|admin|actor|editor)(?:Id|Key|Name)?$|UserId$|By$|email/i;
    const bound = await boundColumns("users");
    const unknown = columns.filter(
      (column) => names.test(column.split(".")[1] ?? "") && !bound.has(column) && !(column in personalDataReferences),
    );
    expect(
      unknown,
      "say in domain/account-deletion/personal-data-references.server.ts what becomes of these when an account is deleted",
    ).toEqual([]);
  });

  test("every column that refers to a file is listed", async () => {
    // Chunks are parts of the file and are removed with it.
    const known = new Set<string>([...fileReferences.map(({ table, column }) => `${table}.${column}`), "file_pieces.fileId"]);
    const unknown = [...(await boundColumns("files"))].filter((column) => !known.has(column));
    expect(unknown, "add these to domain/files/files.server.ts").toEqual([]);
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

test("verifications and entries of the audit log are found by indexes", async () => {
  const plans = await plansOf(world.site, (site) =>
    removePersonalData({ ...site, publish() {}, beforeCommit() {} } as never, { id: world.maren.id, email: world.maren.email }, true),
  );
  expect(plans.filter((step) => /^SCAN (verifications|audit_log)|Seq Scan on (verifications|audit_log)/.test(step))).toEqual([]);
  expect(plans.join()).toContain("verifications_challenge");
});
