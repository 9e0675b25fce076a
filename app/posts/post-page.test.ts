import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { updatePost } from "#domain/posts/update-post.server.ts";
import { countView } from "#domain/posts/views.server.ts";
import { updateProfile } from "#domain/profiles/profiles.server.ts";
import { setBookmark, setLike } from "#domain/reactions/reactions.server.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { openPostPages, type PostPages, text } from "../../tests/support/browsers/post-pages.ts";
import { linksIn } from "../../tests/support/pages.ts";
import { openWeb } from "../../tests/support/web.ts";
import type { World } from "../../tests/support/world.ts";

// The specification of the reading page as rendered by the server; tests/journeys has the browser's part.

let pages: PostPages;
let world: World;
beforeEach(async () => {
  pages = await openPostPages();
  world = pages.world;
});
afterEach(() => world.close());

const expectHome = async (answer: Response | Promise<Response>) => {
  const { status, headers } = await answer;
  expect([status, headers.get("location")]).toEqual([302, "/"]);
};

describe("§2 Post detail", () => {
  test("Reading progress bar", async () => {
    const page = await pages.page();
    expect(page).toMatch(/<div aria-hidden="true" class="reading-progress [^"]*" style="width:0%"/);
    expect(page).not.toContain("progressbar");
  });

  test("sticky bar with Back, percent read, Share menu and a bookmark toggle", async () => {
    const bar = /<div data-bar="true".*?<article>/s.exec(await pages.page())?.[0] ?? "";
    expect(bar).toContain("sticky");
    expect(text(bar)).toMatch(/Back .*0\s*% read Share/);
    expect(bar).toMatch(/<button[^>]*aria-pressed="false"[^>]*aria-label="Bookmark"/);
  });

  test("Featured image, or a No featured image placeholder when absent", async () => {
    expect(await pages.page()).toMatch(/<img[^>]*src="\/files\/\w+\/640\.jpeg"/);
    expect(text(await pages.page())).not.toContain("No featured image");
    await pages.change({ featuredImage: null });
    expect(text(await pages.page())).toContain("No featured image");
  });

  test("Edit and Delete buttons over the image for the author only", async () => {
    const tools = async (viewer: Viewer) => {
      const html = await pages.page(viewer);
      return [html.includes('href="/edit-post/night-bus"'), html.includes('action="/post/night-bus/delete"')];
    };
    expect(await tools(world.maren)).toEqual([true, true]);
    for (const other of [null, world.tobias, world.salma, world.ruth]) expect(await tools(other)).toEqual([false, false]);
  });

  test("Title, date, read time in minutes, view count", async () => {
    await pages.change({ words: 1601, views: 12_400 });
    const html = await pages.page();
    expect(html).toMatch(/<h1[^>]*>Night Bus<\/h1>/);
    expect(text(html)).toContain("Nov 18, 2026 9 min read 12.4K views");
    await pages.change({ words: 0, views: 1 });
    expect(text(await pages.page())).toContain("1 min read 1 view");
  });

  test("an author card linking to /profile/{userId}, with initials of the name, at most 2 letters, or A", async () => {
    const html = await pages.page();
    expect(html).toMatch(new RegExp(`<a[^>]*href="/profile/${world.maren.id}"[^>]*>.*?MO.*?Maren Oduya`, "s"));
    await world.site.db.deleteFrom("profiles").execute();
    await pages.change({ userName: "?!" });
    expect(await pages.page()).toMatch(/letter-spacing:\.01em">A<\/span>/);
  });

  test.each([
    [0, "0 Likes"],
    [1, "1 Like"],
    [843, "843 Likes"],
    [12_400, "12.4K Likes"],
  ])("Like, Bookmark and Share buttons: with %i the label is %s", async (likesCount, label) => {
    await pages.change({ likesCount });
    expect(text(await pages.page())).toContain(`${label} Bookmark Share`);
  });

  test("the viewer's own like and bookmark are shown", async () => {
    await setLike(world.site, world.tobias, "night-bus", true);
    await setBookmark(world.site, world.tobias, "night-bus", true);
    const html = await pages.page(world.tobias);
    expect(text(html)).toContain("1 Like Bookmarked Share");
    const pressed = (of: string) => of.slice(of.indexOf("<main")).match(/aria-pressed="true"/g)?.length;
    // Both below the title and after the text, and the bookmark in the bar.
    expect([pressed(html), pressed(await pages.page())]).toEqual([5, undefined]);
  });

  test("sanitized HTML content", async () => {
    await pages.publish({
      slug: "bold",
      content: 'A **b** <script>alert(1)</script><img src=x onerror="alert(1)"> [x](javascript:alert(1))',
    });
    const html = await pages.page(null, "/post/bold");
    expect(html).toContain("<strong>b</strong>");
    expect(html.replace(/<script nonce[\s\S]*?<\/script>/g, "")).not.toMatch(/alert\(1\)<\/script|onerror|javascript:/);
  });

  test("an About the Author block (bio, location, social links, View Profile) when the author has a profile", async () => {
    const links = { website: "maren.example", twitter: "@maren", github: "maren", linkedIn: "maren-oduya" };
    await updateProfile(world.site, world.maren, { userName: "Maren Oduya", bio: "Cooked on ships.", location: "Stornoway", ...links });
    const block = /<section[^>]*about-the-author.*?<\/section>/s.exec(await pages.page())?.[0] ?? "";
    expect(text(block)).toMatch(/About the Author .*Maren Oduya Stornoway View Profile Cooked on ships\./);
    for (const href of [
      "https://maren.example",
      "https://twitter.com/maren",
      "https://github.com/maren",
      "https://www.linkedin.com/in/maren-oduya",
    ])
      expect(block).toContain(`href="${href}`);
    await world.site.db.updateTable("profiles").set({ bio: "שלום!\nBye." }).execute();
    expect(await pages.page()).toMatch(/<p dir="auto" class="[^"]*whitespace-pre-line[^"]*">שלום!\nBye\.<\/p>/);
    await world.site.db.deleteFrom("profiles").execute();
    expect(await pages.page()).not.toContain("About the Author");
  });

  test("a draft shows when it was updated, not that it is published", async () => {
    await pages.change({ status: "inactive" });
    const page = text(await pages.page(world.maren));
    expect(page).not.toContain("Nov 18, 2026");
    expect(page).not.toMatch(/Published (January|November)/);
    expect(page).toContain("Last updated November 18, 2026");
  });

  test("a footer with Published and Last updated dates and tags Article, Blog and reading time", async () => {
    await pages.change({ updatedAt: Date.UTC(2026, 10, 19, 9) });
    expect(text(await pages.page())).toContain("Published November 18, 2026 Last updated November 19, 2026 Article Blog 1 min read");
  });

  test("Last updated changes with edits only, not with likes, bookmarks and views", async () => {
    const updated = async () => /Last updated (\w+ \d+, \d+)/.exec(text(await pages.page()))?.[1];
    world.clock.advance(24 * 60 * 60_000);
    await setLike(world.site, world.tobias, "night-bus", true);
    await setBookmark(world.site, world.tobias, "night-bus", true);
    await countView(world.site, world.tobias, { ip: "192.0.2.1", userAgent: null }, "night-bus");
    expect(text(await pages.page())).toContain("1 view MO");
    expect(text(await pages.page())).toContain("1 Like Bookmark");
    expect(await updated()).toBe("November 18, 2026");
    await setLike(world.site, world.tobias, "night-bus", false);
    await setBookmark(world.site, world.tobias, "night-bus", false);
    expect(await updated()).toBe("November 18, 2026");
    await updatePost(world.site, world.maren, "night-bus", { title: "Night Bus", content: "It hummed.", status: "active" }, { version: 1 });
    expect(await updated()).toBe("November 19, 2026");
  });

  test("A missing slug or failed load redirects to /", async () => {
    await expectHome(pages.get("/post/nothing-here"));
    const latest = () => {
      throw new Error("the database is away");
    };
    const failing: Site = { ...world.site, events: { ...world.site.events, latest } };
    await expectHome(openWeb({ site: failing }).request("/post/night-bus"));
  });

  test("a draft is shown to its author and administrators as a draft; for others it is not found", async () => {
    await pages.change({ status: "inactive" });
    for (const viewer of [world.maren, world.ruth]) expect(text(await pages.page(viewer))).toContain("Draft Night Bus");
    for (const viewer of [null, world.tobias]) await expectHome(pages.get("/post/night-bus", viewer));
  });
});

describe("§7 Share", () => {
  // The menus need JavaScript; these links are for browsers without it.
  test("a tweet intent, a Facebook share and a LinkedIn share-offsite link each carry the page's URL, exactly", async () => {
    const html = await pages.page();
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
