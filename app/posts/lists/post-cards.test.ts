import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPost } from "#domain/posts/posts.server.ts";
import { updateProfile } from "#domain/profiles/profiles.server.ts";
import { setBookmark } from "#domain/reactions/reactions.server.ts";
import { linksIn, openPage, partOf, textOf } from "../../../tests/support/pages.ts";
import type { PersonName } from "../../../tests/support/people.ts";
import { picture } from "../../../tests/support/pictures.ts";
import { openWorld, type World } from "../../../tests/support/world.ts";

const hour = 60 * 60_000;
const nothingElse = { bio: "", location: "", website: "", twitter: "", github: "", linkedIn: "" };
const places = [
  ["the landing page's latest", "/?tab=latest", null],
  ["the home", "/", "tobias"],
  ["all stories as a grid", "/all-posts?view=grid", "tobias"],
  ["all stories as a list", "/all-posts?view=list", "tobias"],
] as const;

let world: World;
beforeAll(async () => {
  world = await openWorld();
  const post = { title: "Night Bus", slug: "night-bus", status: "active" as const };
  await createPost(world.site, world.maren, { ...post, content: "It *hums* all the way to the sea." }, await picture());
  world.clock.advance(2 * hour);
});
afterAll(() => world.close());

const change = (columns: object) => world.site.db.updateTable("posts").set(columns).execute();
const name = (userName: string) => world.site.db.updateTable("profiles").set({ userName }).where("userId", "=", world.maren.id).execute();
const main = async (path: string, who: PersonName | null) => partOf((await openPage(world, path, { as: who && world[who] })).html, "main");
const card = async (path: string, who: PersonName | null) => partOf(await main(path, who), "article");

describe.each(places)("a card on %s (specification §1, Readers)", (_name, path, who) => {
  test("has cover, title, beginning, read time, views, relative time, initials and name, and links to the author's profile", async () => {
    await change({ words: 1_601, views: 12_400 });
    const html = await card(path, who);
    expect(html).toMatch(/<img[^>]* src="\/files\/\w+\/640\.jpeg"/);
    const cardText = textOf(html);
    for (const text of [/^MO Maren Oduya 2 hours ago Night Bus /, / It hums all the way to the sea\. /, / 9 min read 12\.4K views/])
      expect(cardText).toMatch(text);
    expect(linksIn(html)).toContainEqual(["Maren Oduya", `/profile/${world.maren.id}`]);
    expect(linksIn(html)).toContainEqual(["Night Bus", "/post/night-bus"]);
  });

  test("without a text says No preview available..., without words Preview unavailable..., without a name Anonymous Author (specification §8, Card fallbacks)", async () => {
    const { summary, content } = await world.site.db.selectFrom("posts").select(["summary", "content"]).executeTakeFirstOrThrow();
    await change({ summary: "", content: "", userName: "" });
    await name("");
    const cardText = textOf(await card(path, who));
    await change({ content: "<hr>" });
    expect(textOf(await card(path, who))).toContain("Preview unavailable...");
    await change({ summary, content, userName: "Maren Oduya" });
    await name("Maren Oduya");
    expect(cardText).toMatch(/^AA Anonymous Author 2 hours ago Night Bus No preview available\.\.\. \d+ min read/);
  });
});

test.each(places)("on %s a title and a beginning in Hebrew are laid out from right to left", async (_name, path, who) => {
  const { title, summary } = await world.site.db.selectFrom("posts").select(["title", "summary"]).executeTakeFirstOrThrow();
  await change({ title: "קראו אותי!", summary: "זה זמזם." });
  const html = await card(path, who);
  await change({ title, summary });
  expect(html).toMatch(/<h[23] dir="auto"[^>]*><a[^>]*>קראו אותי!</);
  expect(html).toMatch(/<p dir="auto"[^>]*>זה זמזם\.</);
});

test("a card shows changes of its figures and age at once", async () => {
  const cardText = async () => textOf(await card("/", "tobias"));
  const views = async (count: number) => {
    await change({ views: count });
    return cardText();
  };
  expect(await views(7)).toContain(" 7 views");
  expect(await views(8)).toContain(" 8 views");
  expect(await card("/", "maren")).toBe(await card("/", "tobias"));
  world.clock.advance(hour);
  expect(await cardText()).toContain("3 hours ago");
  world.clock.advance(-hour);
});

test.each(places)("on %s a picture of the author replaces the initials (specification §1, Readers)", async (_name, path, who) => {
  await updateProfile(world.site, world.maren, { userName: "Maren Oduya", ...nothingElse }, await picture("portrait.png", 60, 60));
  const { profileImage } = await world.site.db
    .selectFrom("profiles")
    .select("profileImage")
    .where("userId", "=", world.maren.id)
    .executeTakeFirstOrThrow();
  const html = await card(path, who);
  expect(html).toMatch(new RegExp(`<img[^>]* src="/files/${profileImage}/`));
  expect(textOf(html)).toMatch(/^Maren Oduya /);
});

describe("excerpts on cards (specification §9, Excerpts)", () => {
  beforeAll(async () => {
    const content = `**${"o".repeat(60)}**${"o".repeat(300)}`;
    const post = { title: "Long Story", slug: "long-story", content, status: "active" as const };
    await createPost(world.site, world.ruth, post, await picture());
    await world.site.db.updateTable("posts").set({ featured: true }).where("id", "=", "long-story").execute();
    await setBookmark(world.site, world.tobias, "long-story", true);
  });

  test.each([
    ["the lead of the landing's featured stories", "/?tab=featured", null, [150]],
    ["the landing's latest", "/?tab=latest", null, [120]],
    ["the home: the lead of the featured stories, then the latest", "/", "tobias", [150, 120]],
    ["all stories as a grid", "/all-posts?view=grid", "tobias", [120]],
    ["all stories as a list", "/all-posts?view=list", "tobias", [200]],
    ["a writer's own page", "/profile/:writer", "tobias", [200]],
    ["bookmarks", "/profile?tab=bookmarks", "tobias", [150]],
  ] as const)("%s", async (_name, path, who, lengths) => {
    const html = await main(path.replace(":writer", world.ruth.id), who);
    expect([...html.matchAll(/>(o+\S*?)</g)].map(([, excerpt]) => excerpt)).toEqual(lengths.map((length) => `${"o".repeat(length)}...`));
  });
});
