import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openPostPages, type PostPages } from "../../tests/support/browsers/post-pages.ts";
import type { World } from "../../tests/support/world.ts";

let pages: PostPages;
let world: World;
beforeEach(async () => {
  pages = await openPostPages();
  world = pages.world;
});
afterEach(() => world.close());

describe("metadata", () => {
  const tags = (html: string, name: string) =>
    [...html.matchAll(new RegExp(`<(?:meta|link)[^>]*(?:name|property|rel)="${name}"[^>]*>`, "g"))].join("");

  test("title, description, canonical address, Open Graph, Twitter card and the author's feed", async () => {
    const html = await pages.page();
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

  test("JSON-LD of the article, escaped", async () => {
    const title = 'He said </script><script>alert("1")</script> & left';
    await pages.publish({ title, slug: "quote" });
    const html = await pages.page(null, "/post/quote");
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

  test("none for a draft", async () => {
    await pages.change({ status: "inactive" });
    const html = await pages.page(world.maren);
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(html).not.toMatch(/ld\+json|rel="canonical"|og:url/);
  });

  test("every public page has a title, a description, one canonical address and a preview", async () => {
    world.site.settings.publicStoryListing = true;
    const paths = ["/", "/all-posts", "/featured-writers", "/help", "/login", "/signup", "/subscribe"];
    for (const path of [...paths, `/profile/${world.maren.id}`, "/post/night-bus"]) {
      const html = await pages.page(null, path);
      expect([path, html.match(/<title>[^<]+<\/title>/g)?.length, html.match(/rel="canonical"/g)?.length]).toEqual([path, 1, 1]);
      expect(tags(html, "canonical")).toContain(`href="http://inkstead.test${path}"`);
      for (const name of ["description", "og:title", "og:description", "og:type", "og:url", "og:site_name", "twitter:card"])
        expect([path, name, /content="[^"]+"/.test(tags(html, name))]).toEqual([path, name, true]);
    }
  });

  test("private pages are noindex", async () => {
    for (const path of ["/profile", "/all-posts", "/add-post"]) {
      const html = await pages.page(world.maren, path);
      expect([path, html.includes('<meta name="robots" content="noindex"/>')]).toEqual([path, true]);
    }
  });
});
