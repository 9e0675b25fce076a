import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPost, deletePost } from "#domain/posts/posts.server.ts";
import { updateProfile } from "#domain/profiles/profiles.server.ts";
import { picture } from "../tests/support/pictures.ts";
import { addPost } from "../tests/support/posts.ts";
import { openWeb } from "../tests/support/web.ts";
import { openWorld, type World } from "../tests/support/world.ts";

let world: World;
let web: ReturnType<typeof openWeb>;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
});
afterEach(() => world.close());

const hour = 60 * 60_000;

async function publish(title: string, content = "", status: "active" | "inactive" = "active", author = world.maren): Promise<string> {
  world.clock.advance(hour);
  const slug = title.toLowerCase().replaceAll(/[^a-z]+/g, "-");
  return (await createPost(world.site, author, { title, slug, content, status }, await picture())).id;
}

const get = (path: string, headers: Record<string, string> = {}) => web.request(path, { headers });

async function tree(path: string): Promise<XmlElement> {
  const answer = await get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return parseXml(await answer.text()).root as XmlElement;
}

/** All descendants with a name. */
function all(root: XmlElement, name: string): XmlElement[] {
  return root.children.flatMap((child) =>
    child instanceof XmlElement ? [...(child.name === name ? [child] : []), ...all(child, name)] : [],
  );
}
const texts = (root: XmlElement, name: string) => all(root, name).map((each) => each.text);

describe("a feed", () => {
  test("has complete stories, newest first, in valid XML", async () => {
    await publish("Tea & <Sympathy>", 'One *cup*.\n\n[Home](/help), [note](#n), ![a](/files/x) and `href="/code"`\n\n]]> & done');
    await publish("Night Bus");
    const feed = await tree("/feed.xml");
    expect(feed.attributes).toMatchObject({ version: "2.0" });
    expect(texts(feed, "title")).toEqual(["Inkstead", "Night Bus", "Tea & <Sympathy>"]);
    const tea = all(feed, "item")[1] as XmlElement;
    expect(texts(tea, "link")).toEqual(["http://inkstead.test/post/tea-sympathy-"]);
    expect(texts(tea, "guid")).toEqual(texts(tea, "link"));
    expect(texts(tea, "dc:creator")).toEqual(["Maren Oduya"]);
    expect(new Date(texts(tea, "pubDate")[0] ?? "").getTime()).toBe(Math.floor((world.site.now() - hour) / 1000) * 1000);
    expect(all(tea, "media:content")[0]?.attributes.url).toMatch(/^http:\/\/inkstead\.test\/files\/\w+\/1200\.jpeg$/);
    const html = texts(tea, "content:encoded")[0] ?? "";
    expect(html).toContain("<em>cup</em>");
    expect(html).toContain('<a href="http://inkstead.test/help">');
    expect(html).toContain('href="http://inkstead.test/post/tea-sympathy-#md-n"');
    expect(html).toContain('src="http://inkstead.test/files/x"');
    expect(html).toContain('<code>href="/code"</code>');
    expect(html).toContain("]]> &#x26; done");
    expect(all(feed, "atom:link")[0]?.attributes.href).toBe("http://inkstead.test/feed.xml");
  });

  test("never shows a draft", async () => {
    await publish("Not Yet", "", "inactive");
    expect(texts(await tree("/feed.xml"), "title")).toEqual(["Inkstead"]);
    expect(texts(await tree(`/profile/${world.maren.id}/feed.xml`), "item")).toEqual([]);
  });

  test("of an author has only the author's stories", async () => {
    await publish("Mine");
    await publish("His", "", "active", world.tobias);
    const feed = await tree(`/profile/${world.tobias.id}/feed.xml`);
    expect(texts(feed, "title")).toEqual(["Tobias Lindqvist · Inkstead", "His"]);
    expect((await get("/profile/nobody/feed.xml")).status).toBe(404);
  });

  test("ends at twenty stories", async () => {
    for (let index = 0; index < 21; index++) await publish(`Story ${"i".repeat(index + 1)}`);
    expect(all(await tree("/feed.xml"), "item")).toHaveLength(20);
  });

  test("has the summary only of stories that would make it too large", async () => {
    await publish("Old", "Short.");
    for (const title of ["One", "Two", "Three"]) await publish(title, `${title} begins here. ${"A word. ".repeat(15_000)}`);
    const items = all(await tree("/feed.xml"), "item");
    const beginnings = items.map((item) => texts(item, "content:encoded").map((text) => text.slice(0, 11)));
    expect(beginnings).toEqual([["<p>Three be"], ["<p>Two begi"], [], ["<p>Short.</"]]);
    expect(texts(items[2] as XmlElement, "description")[0]).toContain("One begins here.");
  });

  test("is answered with 304 to a client that has it", async () => {
    await publish("First");
    const first = await get("/feed.xml");
    const etag = first.headers.get("etag") ?? "";
    const modified = first.headers.get("last-modified") ?? "";
    expect(new Date(modified).getTime()).toBe(Math.floor(world.site.now() / 1000) * 1000);
    for (const headers of [{ "if-none-match": etag }, { "if-none-match": `"other", ${etag}` }, { "if-modified-since": modified }]) {
      const again = await get("/feed.xml", headers as Record<string, string>);
      expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    }
    // If both are given, the tag decides.
    expect((await get("/feed.xml", { "if-none-match": '"other"', "if-modified-since": modified })).status).toBe(200);
  });

  test("changes with a new, changed or removed story, and with the author's name", async () => {
    const seen = new Set<string | null>();
    const countVersions = async () => seen.add((await get("/feed.xml")).headers.get("etag")).size;
    expect(await countVersions()).toBe(1);
    const id = await publish("First");
    expect(await countVersions()).toBe(2);
    await world.site.db
      .updateTable("posts")
      .set({ updatedAt: world.site.now() + 1 })
      .where("id", "=", id)
      .execute();
    expect(await countVersions()).toBe(3);
    await publish("Second");
    expect(await countVersions()).toBe(4);
    const profile = { bio: "", location: "", website: "", twitter: "", github: "", linkedIn: "" };
    await updateProfile(world.site, world.maren, { ...profile, userName: "Maren O." });
    expect(await countVersions()).toBe(5);
    await deletePost(world.site, world.maren, id);
    expect(await countVersions()).toBe(6);
  });
});

describe("the sitemap", () => {
  test("lists every published story and no draft, by ranges of story numbers without empty pages", async () => {
    await publish("First");
    await publish("Hidden", "", "inactive");
    await addPost(world, world.maren, { id: "far-off", number: 10_000 });
    await addPost(world, world.maren, { id: "farther", number: 1_234_567 });
    const pages = texts(await tree("/sitemap.xml"), "loc");
    expect(pages).toEqual(["pages", "stories-0", "stories-1", "stories-123"].map((name) => `http://inkstead.test/sitemap/${name}.xml`));
    const posts: string[] = [];
    for (const page of pages.slice(1)) posts.push(...texts(await tree(new URL(page).pathname), "loc"));
    expect(posts).toEqual(["first", "far-off", "farther"].map((slug) => `http://inkstead.test/post/${slug}`));
    expect((await get("/sitemap/stories-2.xml")).status).toBe(404);
    expect((await get("/sitemap/stories-x.xml")).status).toBe(404);
  });

  test.each([false, true])("lists the other public pages, all of which exist (all stories: %s)", async (listingPublic) => {
    world.site.settings.publicStoryListing = listingPublic;
    const pages = texts(await tree("/sitemap/pages.xml"), "loc").map((page) => new URL(page).pathname);
    expect([pages.includes("/featured-writers"), pages.includes("/all-posts")]).toEqual([true, listingPublic]);
    for (const page of pages) expect([page, (await get(page)).status]).toEqual([page, 200]);
  });

  test("of a site without stories is valid", async () => {
    expect(texts(await tree("/sitemap.xml"), "loc")).toEqual(["http://inkstead.test/sitemap/pages.xml"]);
  });
});

test("robots.txt excludes private pages and names the sitemap", async () => {
  const answer = await get("/robots.txt");
  const text = await answer.text();
  expect(answer.headers.get("content-type")).toContain("text/plain");
  for (const path of ["/admin", "/messages", "/edit-post/", "/add-post"]) expect(text).toContain(`Disallow: ${path}\n`);
  expect(text).not.toMatch(/Disallow: \/(?:profile|post)?\n/);
  expect(text).toMatch(/\nSitemap: http:\/\/inkstead\.test\/sitemap\.xml\n$/);
});

test("during maintenance all of them answer 503", async () => {
  world.site.settings.maintenanceMode = true;
  for (const path of ["/feed.xml", `/profile/${world.maren.id}/feed.xml`, "/sitemap.xml", "/sitemap/pages.xml"])
    expect([path, (await get(path)).status]).toEqual([path, 503]);
});
