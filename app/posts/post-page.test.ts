import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPost, deletePost } from "#domain/posts/posts.server.ts";
import { updatePost } from "#domain/posts/update-post.server.ts";
import { countView, viewWindow } from "#domain/posts/views.server.ts";
import { updateProfile } from "#domain/profiles/profiles.server.ts";
import { setBookmark, setLike } from "#domain/reactions/reactions.server.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { linksIn } from "../../tests/support/pages.ts";
import { picture } from "../../tests/support/pictures.ts";
import { formPost, openWeb } from "../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";

// The specification's sentences on the reading page, as the server answers; tests/journeys has what happens in a browser.

let world: World;
let web: ReturnType<typeof openWeb>;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
  world.clock.set(Date.UTC(2026, 10, 18, 9));
  await publish();
});
afterEach(() => world.close());

type StoryOptions = { title?: string; slug?: string; content?: string; status?: "active" | "inactive" };

async function publish({ title = "Night Bus", slug = "night-bus", content = "It *hums*.", status = "active" }: StoryOptions = {}) {
  await createPost(world.site, world.maren, { title, slug, content, status }, await picture("a.jpg", 60, 30));
}

const cookieOf = async (viewer: Viewer) => (viewer ? (await signIn(world, viewer)).cookie : "");
const get = async (path: string, viewer: Viewer = null) => web.request(path, { headers: { cookie: await cookieOf(viewer) } });
const page = async (viewer: Viewer = null, path = "/post/night-bus") => (await get(path, viewer)).text();
const text = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
const change = (columns: object) => world.site.db.updateTable("posts").set(columns).where("id", "=", "night-bus").execute();
const expectHome = async (answer: Response | Promise<Response>) => {
  const { status, headers } = await answer;
  expect([status, headers.get("location")]).toEqual([302, "/"]);
};

describe("§2 Post detail", () => {
  test("Reading progress bar", async () => {
    expect(await page()).toMatch(/role="progressbar" aria-label="Reading progress" aria-valuenow="0"/);
  });

  test("sticky bar with Back, percent read, Share menu and a bookmark toggle", async () => {
    const bar = /<div data-bar="true".*?<article>/s.exec(await page())?.[0] ?? "";
    expect(bar).toContain("sticky");
    expect(text(bar)).toMatch(/Back .*0\s*% read Share/);
    expect(bar).toMatch(/<button[^>]*aria-pressed="false"[^>]*aria-label="Bookmark"/);
  });

  test("Featured image, or a No featured image placeholder when absent", async () => {
    expect(await page()).toMatch(/<img[^>]*src="\/files\/\w+\/640\.jpeg"/);
    expect(text(await page())).not.toContain("No featured image");
    await change({ featuredImage: null });
    expect(text(await page())).toContain("No featured image");
  });

  test("Edit and Delete buttons over the image for the author only", async () => {
    const tools = async (viewer: Viewer) => {
      const html = await page(viewer);
      return [html.includes('href="/edit-post/night-bus"'), html.includes('action="/post/night-bus/delete"')];
    };
    expect(await tools(world.maren)).toEqual([true, true]);
    for (const other of [null, world.tobias, world.salma, world.ruth]) expect(await tools(other)).toEqual([false, false]);
  });

  test("Title, date, read time in minutes, view count", async () => {
    await change({ words: 1601, views: 12_400 });
    const html = await page();
    expect(html).toMatch(/<h1[^>]*>Night Bus<\/h1>/);
    expect(text(html)).toContain("Nov 18, 2026 9 min read 12.4K views");
    await change({ words: 0, views: 1 });
    expect(text(await page())).toContain("1 min read 1 view");
  });

  test("an author card linking to /profile/{userId}, with initials of the name, at most 2 letters, or A", async () => {
    const html = await page();
    expect(html).toMatch(new RegExp(`<a[^>]*href="/profile/${world.maren.id}"[^>]*>.*?MO.*?Maren Oduya`, "s"));
    await world.site.db.deleteFrom("profiles").execute();
    await change({ userName: "?!" });
    expect(await page()).toMatch(/letter-spacing:\.01em">A<\/span>/);
  });

  test.each([
    [0, "0 Likes"],
    [1, "1 Like"],
    [843, "843 Likes"],
    [12_400, "12.4K Likes"],
  ])("Like, Bookmark and Share buttons: with %i the label is %s", async (likesCount, label) => {
    await change({ likesCount });
    expect(text(await page())).toContain(`${label} Bookmark Share`);
  });

  test("a like and a bookmark of one's own show", async () => {
    await setLike(world.site, world.tobias, "night-bus", true);
    await setBookmark(world.site, world.tobias, "night-bus", true);
    const html = await page(world.tobias);
    expect(text(html)).toContain("1 Like Bookmarked Share");
    const pressed = (of: string) => of.slice(of.indexOf("<main")).match(/aria-pressed="true"/g)?.length;
    // Both below the title and after the text, and the bookmark in the bar.
    expect([pressed(html), pressed(await page())]).toEqual([5, undefined]);
  });

  test("sanitized HTML content", async () => {
    await publish({ slug: "bold", content: 'A **b** <script>alert(1)</script><img src=x onerror="alert(1)"> [x](javascript:alert(1))' });
    const html = await page(null, "/post/bold");
    expect(html).toContain("<strong>b</strong>");
    expect(html.replace(/<script nonce[\s\S]*?<\/script>/g, "")).not.toMatch(/alert\(1\)<\/script|onerror|javascript:/);
  });

  test("an About the Author block (bio, location, social links, View Profile) when the author has a profile", async () => {
    const links = { website: "maren.example", twitter: "@maren", github: "maren", linkedIn: "maren-oduya" };
    await updateProfile(world.site, world.maren, { userName: "Maren Oduya", bio: "Cooked on ships.", location: "Stornoway", ...links });
    const block = /<section[^>]*about-the-author.*?<\/section>/s.exec(await page())?.[0] ?? "";
    expect(text(block)).toMatch(/About the Author .*Maren Oduya Stornoway View Profile Cooked on ships\./);
    for (const href of [
      "https://maren.example",
      "https://twitter.com/maren",
      "https://github.com/maren",
      "https://www.linkedin.com/in/maren-oduya",
    ])
      expect(block).toContain(`href="${href}`);
    await world.site.db.deleteFrom("profiles").execute();
    expect(await page()).not.toContain("About the Author");
  });

  test("a footer with Published and Last updated dates and tags Article, Blog and reading time", async () => {
    await change({ updatedAt: Date.UTC(2026, 10, 19, 9) });
    expect(text(await page())).toContain("Published November 18, 2026 Last updated November 19, 2026 Article Blog 1 min read");
  });

  test("Last updated does not move with likes, bookmarks and views, only with what its author changes", async () => {
    const updated = async () => /Last updated (\w+ \d+, \d+)/.exec(text(await page()))?.[1];
    world.clock.advance(24 * 60 * 60_000);
    await setLike(world.site, world.tobias, "night-bus", true);
    await setBookmark(world.site, world.tobias, "night-bus", true);
    await countView(world.site, world.tobias, { address: "192.0.2.1", userAgent: null }, "night-bus");
    expect(text(await page())).toContain("1 view MO");
    expect(text(await page())).toContain("1 Like Bookmark");
    expect(await updated()).toBe("November 18, 2026");
    await setLike(world.site, world.tobias, "night-bus", false);
    await setBookmark(world.site, world.tobias, "night-bus", false);
    expect(await updated()).toBe("November 18, 2026");
    await updatePost(world.site, world.maren, "night-bus", { title: "Night Bus", content: "It hummed.", status: "active" }, { version: 1 });
    expect(await updated()).toBe("November 19, 2026");
  });

  test("A missing slug or failed load redirects to /", async () => {
    await expectHome(get("/post/nothing-here"));
    const latest = () => {
      throw new Error("the database is away");
    };
    const failing: Site = { ...world.site, events: { ...world.site.events, latest } };
    await expectHome(openWeb({ site: failing }).request("/post/night-bus"));
  });

  test("a draft is there for its author and administrators, and says what it is; for others it does not exist", async () => {
    await change({ status: "inactive" });
    for (const viewer of [world.maren, world.ruth]) expect(text(await page(viewer))).toContain("Draft Night Bus");
    for (const viewer of [null, world.tobias]) await expectHome(get("/post/night-bus", viewer));
  });
});

describe("§7 Share", () => {
  // The menus open in a browser only; these links are in the page for anyone who has no JavaScript.
  test("a tweet intent, a Facebook share and a LinkedIn share-offsite link each carry the page's URL, exactly", async () => {
    const html = await page();
    const canonical = /<link[^>]*rel="canonical"[^>]*href="([^"]*)"/.exec(html)?.[1];
    expect(canonical).toBe("http://inkstead.test/post/night-bus");
    const url = encodeURIComponent(canonical ?? "");
    const links = linksIn(/<article>[\s\S]*?<\/article>/.exec(html)?.[0] ?? "");
    expect(links.filter(([label]) => label.startsWith("Share on "))).toEqual([
      ["Share on Twitter", `https://twitter.com/intent/tweet?url=${url}&text=Night%20Bus`],
      ["Share on Facebook", `https://www.facebook.com/sharer/sharer.php?u=${url}`],
      ["Share on LinkedIn", `https://www.linkedin.com/sharing/share-offsite/?url=${url}`],
    ]);
  });
});

describe("§4 and §8: Like and bookmark", () => {
  const press = async (viewer: Viewer, fields: Record<string, string>, scripted = true) =>
    web.request("/post/night-bus/react", formPost({ ...fields, ...(scripted && { scripted: "yes" }) }, { cookie: await cookieOf(viewer) }));
  const answer = async (viewer: Viewer, fields: Record<string, string>) => {
    const response = await press(viewer, fields);
    return [response.status, await response.json()];
  };

  test.each([
    ["like", "yes", "Post liked!", { on: true, count: 1 }],
    ["like", "no", "Like removed", { on: false, count: 0 }],
    ["bookmark", "yes", "Added to bookmarks", { on: true, count: 1 }],
    ["bookmark", "no", "Removed from bookmarks", { on: false, count: 0 }],
  ])("%s, wanted: %s: %s, however often", async (reaction, wanted, toast, saved) => {
    for (let time = 0; time < 2; time++) {
      expect(await answer(world.tobias, { reaction, wanted })).toEqual([200, { tone: "success", text: toast, saved }]);
    }
  });

  test.each([
    ["like", "Please login to like posts"],
    ["bookmark", "Please login to bookmark posts"],
  ])("needs login, else a toast: %s", async (reaction, toast) => {
    expect(await answer(null, { reaction, wanted: "yes" })).toEqual([401, { tone: "info", text: toast, saved: null }]);
  });

  test.each([
    ["like", "Failed to update like"],
    ["bookmark", "Failed to update bookmark"],
  ])("of a story that was deleted while it was read, %s: %s", async (reaction, toast) => {
    await deletePost(world.site, world.maren, "night-bus");
    expect(await answer(world.tobias, { reaction, wanted: "yes" })).toEqual([404, { tone: "error", text: toast, saved: null }]);
  });

  test("without JavaScript the form comes back to the story with the toast", async () => {
    const response = await press(world.tobias, { reaction: "like", wanted: "yes" }, false);
    expect([response.status, response.headers.get("location")]).toEqual([302, "/post/night-bus"]);
    expect(decodeURIComponent(response.headers.get("set-cookie") ?? "")).toContain("Post liked!");
  });
});

describe("§9 View counting", () => {
  const view = async (viewer: Viewer, userAgent = "a browser") =>
    web.request("/post/night-bus/view", {
      method: "POST",
      headers: { cookie: await cookieOf(viewer), origin: world.site.url, "user-agent": userAgent },
    });
  const views = async () => (await world.site.db.selectFrom("posts").select("views").executeTakeFirstOrThrow()).views;

  test("once per viewer and post per 30 minutes, whatever the browser claims", async () => {
    for (const viewer of [world.tobias, world.tobias, null, null, world.ruth]) await view(viewer);
    expect(await views()).toBe(3);
    await view(null, "another browser");
    expect(await views()).toBe(4);
    world.clock.advance(viewWindow - 1);
    await view(world.tobias);
    expect(await views()).toBe(4);
    world.clock.advance(1);
    await view(world.tobias);
    expect(await views()).toBe(5);
  });

  test("a draft's author looking at it is no view", async () => {
    await change({ status: "inactive" });
    await view(world.maren);
    expect(await views()).toBe(0);
  });
});

describe("what machines are told", () => {
  const tags = (html: string, name: string) =>
    [...html.matchAll(new RegExp(`<(?:meta|link)[^>]*(?:name|property|rel)="${name}"[^>]*>`, "g"))].join("");

  test("title, description, canonical address, Open Graph, Twitter card and the author's feed", async () => {
    const html = await page();
    expect(html).toContain("<title>Night Bus · Inkstead</title>");
    expect(tags(html, "description")).toContain('content="It hums."');
    expect(tags(html, "canonical")).toContain('href="http://inkstead.test/post/night-bus"');
    expect(tags(html, "og:type")).toContain("article");
    expect(tags(html, "og:url")).toContain('content="http://inkstead.test/post/night-bus"');
    expect(tags(html, "og:image")).toMatch(/http:\/\/inkstead\.test\/files\/\w+\/1200\.jpeg/);
    expect(tags(html, "twitter:card")).toContain("summary_large_image");
    expect(tags(html, "article:published_time")).toContain("2026-11-18T09:00:00.000Z");
    expect(tags(html, "alternate")).toContain(`href="/profile/${world.maren.id}/feed.xml"`);
    expect(tags(html, "alternate")).toContain('href="/feed.xml"');
  });

  test("JSON-LD of the article, in which no text can end the script", async () => {
    const title = 'He said </script><script>alert("1")</script> & left';
    await publish({ title, slug: "quote" });
    const html = await page(null, "/post/quote");
    const json = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? "";
    expect(JSON.parse(json)).toMatchObject({
      "@context": "https://schema.org",
      "@type": "BlogPosting",
      headline: title,
      datePublished: "2026-11-18T09:00:00.000Z",
      author: { "@type": "Person", name: "Maren Oduya", url: `http://inkstead.test/profile/${world.maren.id}` },
      mainEntityOfPage: "http://inkstead.test/post/quote",
      wordCount: 2,
    });
    expect(html).not.toContain('<script>alert("1")');
  });

  test("of a draft nothing", async () => {
    await change({ status: "inactive" });
    const html = await page(world.maren);
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(html).not.toMatch(/ld\+json|rel="canonical"|og:url/);
  });

  test("every public page has a title, a description, one canonical address and a preview", async () => {
    const paths = ["/", "/featured-writers", "/help", "/login", "/signup", "/subscribe", `/profile/${world.maren.id}`, "/post/night-bus"];
    for (const path of paths) {
      const html = await page(null, path);
      expect([path, html.match(/<title>[^<]+<\/title>/g)?.length, html.match(/rel="canonical"/g)?.length]).toEqual([path, 1, 1]);
      expect(tags(html, "canonical")).toContain(`href="http://inkstead.test${path}"`);
      for (const name of ["description", "og:title", "og:description", "og:type", "og:url", "og:site_name", "twitter:card"])
        expect([path, name, /content="[^"]+"/.test(tags(html, name))]).toEqual([path, name, true]);
    }
  });

  test("private pages ask not to be found", async () => {
    for (const path of ["/profile", "/all-posts", "/add-post"]) {
      const html = await page(world.maren, path);
      expect([path, html.includes('<meta name="robots" content="noindex"/>')]).toEqual([path, true]);
    }
  });
});

describe("search", () => {
  test("§2 the header has a search box (placeholder Search posts...) bound to the one shared term", async () => {
    const html = await page(world.tobias, "/all-posts?q=night%20%22bus%3C");
    expect(html).toMatch(/<input[^>]*type="search"[^>]*name="q"|<input[^>]*name="q"[^>]*type="search"/);
    expect(html).toContain('placeholder="Search posts..."');
    expect(html).toContain('value="night &quot;bus&lt;"');
  });

  test("as you type: a few published stories with what matches marked, for visitors too", async () => {
    await publish({ title: "Night Train", slug: "night-train", status: "inactive" });
    const answer = await get("/search/suggestions?q=nihgt");
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(await answer.json()).toMatchObject({
      stories: [
        {
          id: "night-bus",
          title: [
            { text: "Night", hit: true },
            { text: " Bus", hit: false },
          ],
        },
      ],
    });
    for (const q of ["", "%00", "%22%27%2A", "%F0%9F%98%80", "%ff"]) {
      const nothing = await get(`/search/suggestions?q=${q}`);
      expect([q, nothing.status, await nothing.json()]).toEqual([q, 200, { stories: [] }]);
    }
  });
});
