import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoteHeadings } from "#app/posts/post-html.tsx";
import { saveWorkingCopy } from "#domain/drafts/working-copies.server.ts";
import { exportEverything } from "#domain/export/export.server.ts";
import { storeFeaturedPicture, storePostPicture } from "#domain/files/post-files.server.ts";
import { setFollow } from "#domain/follows/follows.server.ts";
import { sendAttachment } from "#domain/messages/attachments.server.ts";
import { renderContent } from "#domain/posts/content.server.ts";
import { updatePost } from "#domain/posts/update-post.server.ts";
import type { Member } from "#domain/site.ts";
import { tryZip } from "../../tests/support/archive.ts";
import { picture } from "../../tests/support/pictures.ts";
import { openWeb } from "../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";
import { type DemoMembers, type DemoSite, day, memberOf, withSettableClock } from "./community.ts";
import { readConversations, readMembers, readPosts } from "./content.ts";
import { seedConversations } from "./seed-conversations.ts";
import { seedMember } from "./seed-members.ts";
import { seedPosts, seedReactions } from "./seed-posts.ts";

/** Maren of the sample community, and her conversation partners. */
let world: World;
let site: DemoSite;
let maren: Member;
let others: Member[];
let cookie: string;
let web: ReturnType<typeof openWeb>;
let zip: Uint8Array;
let files: Record<string, Uint8Array>;

beforeAll(async () => {
  world = await openWorld();
  web = openWeb(world);
  await world.site.db.deleteFrom("users").execute();
  site = withSettableClock(world.site);
  const today = Date.now();
  const sentMessages = readConversations().filter(({ between }) => between.includes("maren"));
  const keys = new Set(sentMessages.flatMap(({ between }) => between));
  const members: DemoMembers = new Map();
  for (const [index, each] of readMembers().entries()) {
    if (!keys.has(each.key)) continue;
    site.setClock(today - each.joinedDaysAgo * day);
    members.set(each.key, await seedMember(site, each, index));
  }
  const ownPosts = [...keys].flatMap((key) =>
    readPosts()
      .filter(({ author }) => author === key)
      .slice(0, key === "maren" ? undefined : 2),
  );
  const posts = await seedPosts(site, members, today, ownPosts);
  await seedReactions(site, members, posts, today);
  await seedConversations(site, members, today, sentMessages);
  site.setClock(today);
  ({ member: maren, cookie } = await signIn(world, memberOf(members, "maren")));
  others = [...members.values()].filter(({ id }) => id !== maren.id);
  await addActivity(posts.filter(({ author }) => author === "maren").map(({ id }) => id));

  const { zip: stream } = await exportEverything(site, maren);
  zip = new Uint8Array(await new Response(stream).arrayBuffer());
  files = unzipSync(zip);
}, 120_000);
afterAll(() => world?.close());

/** Adds what the sample community lacks: follows, files in messages, a picture in a text, and an unfinished story. */
async function addActivity([post = ""]: string[]): Promise<void> {
  const [first, second] = others as [Member, Member];
  for (const { id } of [first, second]) await setFollow(site, maren, { userId: id, following: true });
  const pdf = Buffer.from("%PDF-1.4\n%âãÏÓ\nA tide table.\n%%EOF\n", "latin1");
  await sendAttachment(site, first, { to: maren.id, sendId: "tide-table", upload: { name: "tide table.pdf", bytes: pdf } });
  await sendAttachment(site, maren, { to: first.id, sendId: "lamp", upload: await picture("lamp.png", 640, 480) });
  const within = await storePostPicture(site, maren, await picture("within.jpg", 900, 600));
  const { title, markdown, status, version } = await site.db
    .selectFrom("posts")
    .select(["title", "markdown", "status", "version"])
    .where("id", "=", post)
    .executeTakeFirstOrThrow();
  const content = `${markdown}\n\n![The lamp](/files/${within.id})\n`;
  await updatePost(site, maren, post, { title, content, status }, { version });
  const { id: featuredImage } = await storeFeaturedPicture(site, maren, await picture());
  await saveWorkingCopy(site, maren, {
    ...{ id: "4ee9e4000000000000001a09", userId: maren.id, postId: null, postVersion: null, base: null, writer: "her-page", count: 1 },
    draft: { title: "The Keeper", slug: "", slugTyped: false, content: "It was *not* the wind.", status: "active", featuredImage },
  });
}

const text = (name: string) => new TextDecoder().decode(files[name]);
const json = <Row>(name: string): Row[] => JSON.parse(text(name));
const inFolder = (folder: string) => Object.keys(files).filter((name) => name.startsWith(`${folder}/`));
async function page(path: string): Promise<string> {
  const answer = await web.request(path, { headers: { cookie } });
  expect([path, answer.status]).toEqual([path, 200]);
  return (await answer.text()).replaceAll("<!-- -->", "");
}

/** All pages of a list. */
async function pages(path: string): Promise<string> {
  const html = await page(path);
  const next = /href="([^"]*[?&;]after=[^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
  return next ? html + (await pages(new URL(next, "http://inkstead.test").href.slice("http://inkstead.test".length))) : html;
}

const found = (html: string, pattern: RegExp) => [...new Set([...html.matchAll(pattern)].map(([, id = ""]) => id))].toSorted();
const bytesOf = async (id: string) =>
  Buffer.from(await (await web.request(`/files/${id}`, { headers: { cookie } })).arrayBuffer()).toString("base64");
const exportedFiles = () => new Set(Object.values(files).map((bytes) => Buffer.from(bytes).toString("base64")));

/** The ids of stories in the ZIP: published ones and drafts. */
const exportedPosts = () => [...inFolder("stories"), ...inFolder("drafts")].map((name) => /\/(.*)\.md$/.exec(name)?.[1] ?? name).toSorted();

describe("the export of a member of the sample community", () => {
  test("opens with unzip", async () => {
    const path = join(world.dataDir, "everything.zip");
    await writeFile(path, zip);
    expect(await tryZip(path, zip)).toMatch(/unzip|fflate/);
  });

  test("has every story and draft on her pages", async () => {
    const [own, drafts] = [await pages("/profile?tab=posts"), await pages("/profile?tab=drafts")];
    const listed = found(own, /\/edit-post\/([^"?]+)"/g);
    expect(listed.length).toBe(readPosts().filter(({ author }) => author === "maren").length);
    expect(exportedPosts()).toEqual(listed);
    expect(
      inFolder("drafts")
        .map((name) => name.slice("drafts/".length, -".md".length))
        .toSorted(),
    ).toEqual(found(drafts, /\/edit-post\/([^"?]+)"/g));
    expect(inFolder("drafts").length).toBeGreaterThan(1);
    expect(inFolder("unfinished")).toEqual(found(drafts, /\/add-post\?draft=([^"]+)"/g).map((id) => `unfinished/${id}.md`));
    expect(text("unfinished/4ee9e4000000000000001a09.md")).toContain("It was *not* the wind.");
  });

  test("has Markdown that renders to exactly each page's HTML", async () => {
    for (const name of [...inFolder("stories"), ...inFolder("drafts")]) {
      const [, head = "", body = ""] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(text(name)) ?? [];
      const id = /\/(.*)\.md$/.exec(name)?.[1] ?? "";
      const { content, title } = await site.db
        .selectFrom("posts")
        .select(["content", "title"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      const { columns } = await renderContent(site, { text: body, by: maren.id });
      expect(columns.content).toBe(content);
      expect(await page(`/post/${id}`)).toContain(demoteHeadings(content));
      expect(head).toContain(`title: ${JSON.stringify(title)}`);
    }
  });

  test("has every picture of her profile, stories and drafts, byte for byte", async () => {
    const all = exportedFiles();
    const { profileImage } = await site.db
      .selectFrom("profiles")
      .select("profileImage")
      .where("userId", "=", maren.id)
      .executeTakeFirstOrThrow();
    expect(found(await page("/profile"), /\/files\/([\w-]+)/g)).toEqual([profileImage]);
    const own = found((await pages("/profile?tab=posts")) + (await pages("/profile?tab=drafts")), /\/files\/([\w-]+)/g);
    const within = found(
      (await Promise.all(exportedPosts().map((id) => page(`/post/${id}`)))).join("").replaceAll(/srcset="[^"]*"/gi, ""),
      /src="\/files\/([\w-]+)"/g,
    );
    expect(own.length).toBeGreaterThan(exportedPosts().length);
    expect(within.length).toBe(1);
    for (const id of [...own, ...within]) expect([id, all.has(await bytesOf(id))]).toEqual([id, true]);
  });

  test("has her profile and account as on the pages", async () => {
    const [shown, edited] = [await page("/profile"), await page("/edit-profile")];
    const profile = JSON.parse(text("profile.json")) as Record<string, string>;
    const { bio, location, website, twitter } = readMembers().find(({ key }) => key === "maren") ?? {};
    expect(profile).toMatchObject({ name: "Maren Oduya", bio, location, website, twitter });
    for (const value of [profile.name, profile.bio, profile.location]) expect(shown).toContain(value);
    for (const value of [profile.website, profile.twitter]) expect(edited).toContain(`value="${value}"`);
    expect(shown).toContain((JSON.parse(text("account.json")) as { email: string }).email);
  });

  test("has exactly her likes, bookmarks and follows", async () => {
    const posts = await site.db.selectFrom("posts").select("id").where("status", "=", "active").execute();
    const liked: string[] = [];
    for (const { id } of posts)
      if (/name="reaction" value="like"\/><input type="hidden" name="wanted" value="no"/.test(await page(`/post/${id}`))) liked.push(id);
    expect(liked.length).toBeGreaterThan(2);
    expect(
      json<{ story: string }>("likes.json")
        .map(({ story }) => story)
        .toSorted(),
    ).toEqual(liked.toSorted());
    const bookmarked = found(await pages("/profile?tab=bookmarks"), /\/profile\/bookmarks\/([^/"]+)\/remove/g);
    expect(bookmarked.length).toBeGreaterThan(1);
    expect(
      json<{ story: string }>("bookmarks.json")
        .map(({ story }) => story)
        .toSorted(),
    ).toEqual(bookmarked);
    const followed: string[] = [];
    for (const { id } of others) if ((await page(`/profile/${id}`)).includes(">Following<")) followed.push(id);
    expect(
      json<{ member: string }>("following.json")
        .map(({ member }) => member)
        .toSorted(),
    ).toEqual(followed.toSorted());
    expect(followed).toHaveLength(2);
  });

  test("has every message of every conversation, with attachments", async () => {
    const all = exportedFiles();
    const partners = found(await page("/messages"), /href="\/messages\/([\w-]+)"/g);
    expect(partners).toEqual(others.map(({ id }) => id).toSorted());
    const conversations = json<{ member: string; messages: string; unread: number }>("conversations.json");
    expect(conversations.map(({ member }) => member).toSorted()).toEqual(partners);
    for (const { member, messages } of conversations) {
      const chat = await page(`/messages/${member}`);
      const exported = json<{ message: string; file?: string }>(messages);
      // Each row of the conversation list has one as well.
      expect((chat.match(/<time dateTime/gi)?.length ?? 0) - partners.length).toBe(exported.length);
      const shown = visibleText(chat);
      for (const { message, file } of exported) {
        expect(shown).toContain(message);
        if (file) expect(files[file]).toBeDefined();
      }
      const sent = found(chat, /\/files\/([\w-]+)\?download/g);
      expect(sent.length).toBe(exported.filter(({ file }) => file).length);
      for (const id of sent) expect(all.has(await bytesOf(id))).toBe(true);
    }
    expect(Object.keys(files).filter((name) => /^messages\/.+\/.+(tide table\.pdf|lamp\.png)$/.test(name))).toHaveLength(2);
  });
});

const signs: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };

/** The visible text of a page. */
function visibleText(html: string): string {
  return html.replaceAll(/<[^>]*>/g, "").replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (sign) => signs[sign] ?? sign);
}
