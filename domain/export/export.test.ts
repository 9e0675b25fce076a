import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compareChecksums, tryZip } from "../../tests/support/archive.ts";
import { picture } from "../../tests/support/pictures.ts";
import { signIn as openSession, openWorld, type World } from "../../tests/support/world.ts";
import { saveWorkingCopy } from "../drafts/working-copies.server.ts";
import { storeChunk } from "../files/api-files.server.ts";
import { storeFeaturedPicture } from "../files/post-files.server.ts";
import { setFollow } from "../follows/follows.server.ts";
import { setBlocked } from "../messages/blocking.server.ts";
import { sendMessage } from "../messages/messages.server.ts";
import { setOwnSubscription } from "../newsletter/member-subscription.server.ts";
import { saveNotificationSettings } from "../notifications/preferences.server.ts";
import { createPost } from "../posts/posts.server.ts";
import { updatePost } from "../posts/update-post.server.ts";
import { updateProfile } from "../profiles/profiles.server.ts";
import { setBookmark, setLike } from "../reactions/reactions.server.ts";
import { report, setReportStatus } from "../reports/reports.server.ts";
import type { Member } from "../site.ts";
import { exportEverything } from "./export.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

async function unzipped(member: Member): Promise<Record<string, Uint8Array>> {
  const { zip } = await exportEverything(world.site, member);
  return unzipSync(new Uint8Array(await new Response(zip).arrayBuffer()));
}

const hard = `# Salt & smoke

A **bold** word, an _italic_ one, <u>underlined</u>, ~~gone~~ and \`code\`.

> Quoted --- with dashes

1. one
2. two

| a | b |
| --- | --- |
| 1 | 2 |

\`\`\`js
const title = "---";
\`\`\`

---

naïve, “quotes”, 日本語, 🐋
`;

const html = "<h2>Part</h2><p>One, <u>two</u></p>";

async function fullLife() {
  const { maren, tobias, site } = world;
  const { member } = await openSession(world, maren);
  const links = { website: "maren.example", twitter: "@maren", github: "", linkedIn: "" };
  await updateProfile(
    site,
    member,
    { userName: "Maren Oduya", bio: "Keeps a *lighthouse*.", location: "Stornoway", ...links },
    await picture("me.png", 500, 500),
  );
  const story = { title: 'Salt: "smoke" & # more', slug: "salt", content: hard, status: "active" as const };
  await createPost(site, member, { ...story, content: "It began otherwise." }, await picture());
  await updatePost(site, member, "salt", story, { version: 1 });
  await createPost(site, member, { ...story, title: "Kept back", slug: "kept", status: "inactive" as const }, await picture());
  await createPost(site, tobias, { ...story, title: "[Tides]", slug: "tides" }, await picture());
  await setLike(site, member, "tides", true);
  await setBookmark(site, member, "tides", true);
  await setFollow(site, member, { userId: tobias.id, following: true });
  await sendMessage(site, member, { to: tobias.id, text: "Is it\nraining?", sendId: "1" });
  await sendMessage(site, tobias, { to: member.id, text: "Still. # yes", sendId: "2" });
  const copy = {
    id: "0123456789abcdef01234567",
    userId: member.id,
    postId: null,
    postVersion: null,
    base: null,
    writer: "a-page-of-hers",
    count: 1,
  };
  const { id: featuredImage } = await storeFeaturedPicture(site, member, await picture());
  const draft = { title: "Not yet", slug: "", slugTyped: false, content: hard, status: "active" as const, featuredImage };
  await saveWorkingCopy(site, member, { ...copy, draft });
  await createPost(site, member, { ...story, title: "From an app", slug: "html", content: html }, await picture(), { format: "html" });
  await setBlocked(site, member, world.salma.id, true);
  await report(site, member, { kind: "post", subjectId: "tides", reason: "other", note: "Not his own words" });
  const { id: reportId } = await site.db.selectFrom("reports").select("id").executeTakeFirstOrThrow();
  await setReportStatus(site, world.ruth, reportId, "dismissed", "They are his own.");
  await site.db.insertInto("preferences").values({ userId: member.id, prefs: '{"font":"large"}', updatedAt: site.now() }).execute();
  const bytes = Buffer.from("as it was sent");
  await storeChunk(site, member, { id: "sent-by-an-app", name: "notes.txt", type: "text/plain", bytes, publicly: false });
  return member;
}

describe("the export", () => {
  test("contains all data in machine- and human-readable form", async () => {
    const { tobias } = world;
    const files = await unzipped(await fullLife());
    const [former = ""] = Object.keys(files).filter((name) => name.startsWith("history/"));
    expect(former).toMatch(/^history\/salt\/2026-11-02T09-00-00\.000Z-\w+\.md$/);
    expect(text(files[former])).toMatch(/\nby: "Maren Oduya"\n[\s\S]*It began otherwise\.$/);
    expect(Object.keys(files).sort()).toEqual(
      [
        "README.txt",
        "account.json",
        "decisions.json",
        "profile.json",
        "profile.md",
        "picture.jpg",
        "stories/salt.md",
        "drafts/kept.md",
        "unfinished/0123456789abcdef01234567.md",
        former,
        "stories/html.md",
        "stories/html.html",
        "pictures/html.jpg",
        "pictures/salt.jpg",
        "pictures/kept.jpg",
        "pictures/unfinished/0123456789abcdef01234567.jpg",
        ...["likes", "bookmarks", "following", "blocked"].flatMap((name) => [`${name}.json`, `${name}.md`]),
        "reports.json",
        "notifications.json",
        "preferences.json",
        "files/sent-by-an-app-notes.txt",
        "conversations.json",
        `messages/tobias-lindqvist-${tobias.id}.json`,
        `messages/tobias-lindqvist-${tobias.id}.md`,
      ].sort(),
    );
    const json = (name: string) => JSON.parse(text(files[name]));
    expect(json("account.json")).toMatchObject({ name: "Maren Oduya", email: "maren@example.com", devices: [{ address: "" }] });
    expect(json("profile.json")).toMatchObject({ name: "Maren Oduya", bio: "Keeps a *lighthouse*.", twitter: "@maren" });
    expect(json("likes.json")).toMatchObject([
      { story: "tides", title: "[Tides]", author: "Tobias Lindqvist", url: "http://inkstead.test/post/tides" },
    ]);
    expect(json("bookmarks.json")).toHaveLength(1);
    expect(json("blocked.json")).toMatchObject([{ member: world.salma.id, name: "Salma Rahimi" }]);
    expect(json("reports.json")).toMatchObject([
      { about: "post", id: "tides", reason: "other", note: "Not his own words", status: "dismissed", answer: "They are his own." },
    ]);
    expect(json("preferences.json")).toEqual({ font: "large" });
    expect(text(files["files/sent-by-an-app-notes.txt"])).toBe("as it was sent");
    expect(json("conversations.json")).toMatchObject([{ with: "Tobias Lindqvist", unread: 1, muted: false }]);
    expect(text(files["unfinished/0123456789abcdef01234567.md"])).toContain('image: "../pictures/unfinished/0123456789abcdef01234567.jpg"');
    expect(json("following.json")).toMatchObject([{ member: tobias.id, name: "Tobias Lindqvist" }]);
    expect(json(`messages/tobias-lindqvist-${tobias.id}.json`)).toMatchObject([
      { from: "Maren Oduya", message: "Is it\nraining?" },
      { from: "Tobias Lindqvist", message: "Still. # yes" },
    ]);
    expect(text(files[`messages/tobias-lindqvist-${tobias.id}.md`])).toContain("> Is it\n> raining?");
    expect(text(files["likes.md"])).toContain("[\\[Tides\\]](http://inkstead.test/post/tides)");
  });

  test("contains the newsletter and notification settings", async () => {
    const { site, maren } = world;
    const exported = async () => JSON.parse(text((await unzipped((await openSession(world, maren)).member))["notifications.json"]));
    expect(await exported()).toMatchObject({ newsletter: null });
    await setOwnSubscription(site, maren, true);
    await saveNotificationSettings(site, maren, { preferences: { like: { onSite: true, email: "daily" } }, timeZone: "Europe/Lisbon" });
    const at = new Date(site.now()).toISOString();
    expect(await exported()).toMatchObject({
      newsletter: { address: "maren@example.com", askedFor: at, agreed: at, frequency: "weekly" },
      settings: { preferences: { like: { email: "daily" } }, timeZone: "Europe/Lisbon" },
    });
    await site.db.updateTable("users").set({ emailVerified: false }).where("id", "=", maren.id).execute();
    expect(await exported()).toMatchObject({ newsletter: null });
  });

  test("its Markdown renders to the same HTML, with valid YAML front matter", async () => {
    const files = await unzipped(await fullLife());
    for (const [name, id] of [
      ["stories/salt.md", "salt"],
      ["drafts/kept.md", "kept"],
      ["stories/html.md", "html"],
    ] as const) {
      const [, head = "", body = ""] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(text(files[name])) ?? [];
      const { content } = await world.site.db.selectFrom("posts").select("content").where("id", "=", id).executeTakeFirstOrThrow();
      // HTML has no line between its blocks, Markdown does.
      expect((await world.site.renderer.render(body, "test")).html.replaceAll(">\n<", "><")).toBe(content.replaceAll(">\n<", "><"));
      for (const line of head.split("\n")) expect(line).toMatch(/^[a-z]+: (?:"(?:[^"\\]|\\.)*"|\d+|true|false)$/);
    }
    expect(text(files["stories/salt.md"])).toContain('title: "Salt: \\"smoke\\" & # more"');
    expect(text(files["stories/salt.md"])).toContain('image: "../pictures/salt.jpg"');
  });

  test("is a valid ZIP", async () => {
    const { zip } = await exportEverything(world.site, await fullLife());
    const path = join(world.dataDir, "everything.zip");
    const bytes = new Uint8Array(await new Response(zip).arrayBuffer());
    await writeFile(path, bytes);
    expect(await tryZip(path, bytes)).toMatch(/^(unzip|fflate)$/);
    compareChecksums(bytes);
    const at = Buffer.from(bytes).indexOf("All data of");
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    expect(() => compareChecksums(bytes)).toThrow("README.txt is damaged");
  });

  test("contains the stored pictures", async () => {
    const files = await unzipped(await fullLife());
    const { featuredImage } = await world.site.db
      .selectFrom("posts")
      .select("featuredImage")
      .where("id", "=", "salt")
      .executeTakeFirstOrThrow();
    expect(Buffer.from(files["pictures/salt.jpg"] ?? [])).toEqual(await world.site.files.get(`${featuredImage}/original`));
  });

  test("contains others' data only as far as they wrote to the member", async () => {
    await fullLife();
    await sendMessage(world.site, world.tobias, { to: world.ruth.id, text: "A secret between us", sendId: "3" });
    const all = Object.values(await unzipped((await openSession(world, world.maren)).member))
      .map(text)
      .join("\n");
    expect(all).not.toContain("A secret between us");
    expect(all).not.toContain("tobias@example.com");
    const ruth = await unzipped((await openSession(world, world.ruth)).member);
    expect(Object.keys(ruth).filter((name) => /stories|drafts|pictures/.test(name))).toEqual([]);
  });

  test("covers every table with members' data", async () => {
    const inTheZip = {
      ...{ users: "account.json", accounts: "account.json", sessions: "account.json", passkeys: "account.json", profiles: "profile.json" },
      ...{ posts: "stories", working_copies: "unfinished", versions: "history", files: "pictures and files", post_files: "pictures" },
      ...{ copy_files: "pictures", likes: "likes.json", bookmarks: "bookmarks.json", follows: "following.json", blocks: "blocked.json" },
      ...{ messages: "messages", conversations: "messages", participants: "conversations.json", reports: "reports.json" },
      ...{ preferences: "preferences.json", follow_counts: "profile.json", two_factors: "account.json" },
      ...{ security_events: "account.json", known_devices: "account.json", email_changes: "account.json" },
      ...{ moderation_actions: "decisions.json", suspensions: "decisions.json" },
      ...{
        notifications: "notifications.json",
        notification_preferences: "notifications.json",
        notification_settings: "notifications.json",
        push_devices: "notifications.json",
      },
    };
    const excluded = {
      api_keys: "useless elsewhere: only hashes are stored",
      finished_drafts: "which saves of drafts are in stories already: no text",
      ...{ report_evidence: "copies of messages that are in the ZIP; their existence would reveal reports" },
      ...{ member_storage: "counts of bytes that are in the ZIP" },
      ...{ administrators: "roles on this site", member_counters: "counts of rows that are in the ZIP" },
      ...{ deleted_messages: "numbers of deleted messages only", deleted_accounts: "ids of other, deleted accounts" },
      ...{ deletion_cleanups: "of deleted accounts" },
      ...{ audit_log: "administrators' actions, for administrators", adjusted_likes: "belong to no member" },
      webhook_deliveries: "public data, as sent to the operator's webhooks",
      story_emails: "progress of the emails about a new story",
      outbox: "emails in transit; their text is in the mailbox and deleted here once sent",
      removed_likes: "likes removed by an administrator, stored for 30 days to restore them",
      ...{ member_texts: "name and address, indexed for searches", backup_runs: "administrators who started a backup" },
    };
    const known = new Set(Object.keys({ ...inTheZip, ...excluded }));
    const columns = await sql<{ name: string }>`${
      world.site.engine === "sqlite"
        ? sql`select m.name from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' and c.name like '%erId'`
        : sql`select table_name as name from information_schema.columns where table_schema = 'public' and column_name like '%erId'`
    }`.execute(world.site.db);
    const unknown = [...new Set(columns.rows.map(({ name }) => name))].filter((name) => !known.has(name));
    expect(unknown, "put these into the export, or say here why not").toEqual([]);
  });

  test("works for a member without data", async () => {
    const files = await unzipped((await openSession(world, world.salma)).member);
    expect(JSON.parse(text(files["likes.json"]))).toEqual([]);
  });

  test("is streamed on demand", async () => {
    const member = await fullLife();
    let read = 0;
    const get = (key: string) => {
      read++;
      return world.site.files.get(key);
    };
    const { zip, estimatedBytes } = await exportEverything({ ...world.site, files: { ...world.site.files, get } }, member);
    const reader = zip.getReader();
    await reader.read();
    await reader.cancel();
    expect(read).toBeLessThan(2);
    expect(estimatedBytes).toBeGreaterThan(10_000);
  });

  test("is limited to oneself and ten an hour", async () => {
    await expect(exportEverything(world.site, null)).rejects.toMatchObject({ code: "sign-in-required" });
    const { member } = await openSession(world, world.maren);
    for (let i = 0; i < 10; i++) await (await exportEverything(world.site, member)).zip.cancel();
    await expect(exportEverything(world.site, member)).rejects.toMatchObject({ code: "too-many" });
  });
});
