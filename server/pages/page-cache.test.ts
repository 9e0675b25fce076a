import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Context } from "hono";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPost, deletePost } from "#domain/posts/posts.server.ts";
import { setLike } from "#domain/reactions/reactions.server.ts";
import { readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import type { Web } from "#server/http.ts";
import { closeSite, openSite } from "#server/site.ts";
import { picture } from "../../tests/support/pictures.ts";
import { until } from "../../tests/support/until.ts";
import { openWeb } from "../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";
import { PageCache } from "./page-cache.ts";

let world: World;
let web: ReturnType<typeof openWeb>;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world, { cachePages: true });
  const post = { title: "Night Bus", slug: "night-bus", content: "It hums.", status: "active" } as const;
  await createPost(world.site, world.maren, post, await picture());
});
afterEach(() => world.close());

const path = "/post/night-bus";
const get = (headers: Record<string, string> = {}, to = path) => web.request(to, { headers });
const policyOf = (response: Response) => response.headers.get("content-security-policy") ?? "";
const nonceOf = (response: Response) => /style-src 'self' 'nonce-([^']+)'/.exec(policyOf(response))?.[1] ?? "";
const withoutNonce = async (response: Response) => (await response.text()).replaceAll(nonceOf(response), "");

/**
 * On PostgreSQL a commit in another test's database renews the page too, so checks of several responses are repeated until these come from
 * one page.
 */
const eventually = (check: () => Promise<void>) => until(check, 90_000);

/** Whether the same page is sent a second later. A renewed one differs in its serialized data. */
async function isCached(headers: Record<string, string> = {}): Promise<boolean> {
  const first = await withoutNonce(await get(headers));
  world.clock.advance(1000);
  return first === (await withoutNonce(await get(headers)));
}

test("a page allows requests to its own origin only, for pictures too", async () => {
  const policy = (await get()).headers.get("content-security-policy") ?? "";
  expect(policy).toContain("img-src 'self' data: blob:;");
  expect(policy).not.toMatch(/https?:|\*/);
});

test.each([
  ["//", 200],
  ["///", 200],
  ["//[", 404],
  ["//elsewhere.example/login", 404],
  ["//x/search/suggestions?q=night", 404],
])("%s answers %i, and is no address of another host", async (address, status) => {
  expect((await web.request(`http://inkstead.test${address}`)).status).toBe(status);
});

test("a rendering that has taken more than a second isn't shared: its data may be too old", async () => {
  const finish: (() => void)[] = [];
  const cache = new PageCache(world.site, async () => {
    const { likesCount } = await world.site.db.selectFrom("posts").select("likesCount").executeTakeFirstOrThrow();
    await new Promise<void>((resolve) => finish.push(resolve));
    return { response: new Response(`${likesCount} likes`, { headers: { "content-type": "text/html" } }), nonce: "none" };
  });
  const read = () => cache.answer(new Request(`http://inkstead.test${path}`), {} as Context<Web>).then((response) => response.text());
  const rendering = (count: number) => expect.poll(() => finish.length).toBe(count);
  const early = read();
  await rendering(1);
  await setLike(world.site, world.tobias, "night-bus", true);
  world.clock.advance(1_001);
  const late = read();
  await rendering(2);
  for (const each of finish) each();
  expect([await early, await late]).toEqual(["0 likes", "1 likes"]);
});

describe("a visitor's page", () => {
  test("is cached, and its policy allows exactly its own inline scripts", async () => {
    await eventually(async () => expect(await isCached()).toBe(true));
    const one = await get();
    const scriptPolicy = /script-src ([^;]*)/.exec(policyOf(one))?.[1] ?? "";
    expect(scriptPolicy).not.toMatch(/nonce|unsafe/);
    const inline = [...(await one.text()).matchAll(/<script(?![^>]*(?:\/|ld\+)json)(?![^>]*src=)[^>]*>([\s\S]*?)<\/script>/g)];
    const hashes = inline.map(([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
    expect(hashes.length).toBeGreaterThan(2);
    expect(new Set(scriptPolicy.split(" "))).toEqual(new Set(["'self'", ...hashes]));
  });

  test("has a new nonce for styles with each rendering", async () => {
    const before = nonceOf(await get());
    world.clock.advance(10_000);
    expect([before, nonceOf(await get())]).toEqual([expect.stringMatching(/.{20}/), expect.not.stringContaining(before)]);
  });

  test("is the same in every encoding", async () => {
    await eventually(async () => {
      for (const [accepted, encoding, decompress] of [
        ["gzip, br;q=0", "gzip", gunzipSync],
        ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
      ] as const) {
        const compressed = await get({ "accept-encoding": accepted });
        expect([compressed.headers.get("content-encoding"), compressed.headers.get("vary")]).toEqual([encoding, "Cookie, Accept-Encoding"]);
        expect(decompress(Buffer.from(await compressed.arrayBuffer())).toString()).toBe(await (await get()).text());
      }
    });
  });

  test("is answered with 304 to a browser that has it, without a policy", async () => {
    await eventually(async () => {
      const etag = (await get()).headers.get("etag") ?? "";
      const again = await get({ "if-none-match": etag });
      expect([again.status, await again.text(), again.headers.get("content-security-policy")]).toEqual([304, "", null]);
    });
    const etag = (await get()).headers.get("etag") ?? "";
    await setLike(world.site, world.tobias, "night-bus", true);
    world.clock.advance(1_001);
    const changed = await get({ "if-none-match": etag });
    expect(changed.status).toBe(200);
    expect(await changed.text()).toContain(">1</span> <!-- -->Like");
  });

  test("is rendered again after ten seconds, for its relative times", async () => {
    await eventually(async () => {
      const etag = (await get()).headers.get("etag");
      world.clock.advance(9_999);
      expect((await get()).headers.get("etag")).toBe(etag);
      world.clock.advance(1);
      expect((await get()).headers.get("etag")).not.toBe(etag);
    });
  });

  test("is rendered once for concurrent requests", async () => {
    await eventually(async () => {
      const responses = await Promise.all(Array.from({ length: 20 }, () => get()));
      expect(new Set(responses.map(({ headers }) => headers.get("etag"))).size).toBe(1);
      expect(new Set(responses.map(nonceOf)).size).toBe(1);
    });
  });

  test("is cached by theme and address", async () => {
    await get();
    expect(await (await get({ cookie: "inkstead_theme=dark" })).text()).toContain('data-theme="dark"');
    expect(await (await get()).text()).toContain('data-theme="light"');
    expect(await (await get({}, "/?q=bus")).text()).toContain('value="bus"');
    expect(await (await get({}, "/")).text()).not.toContain('value="bus"');
  });
});

describe("a cached page is invalidated", () => {
  test("when a story is deleted, in this process or another", async () => {
    await get();
    await get({}, "/");
    const other = await openSite(readConfig(world.environment), createLog("silent"));
    await deletePost(other, world.maren, "night-bus");
    await closeSite(other);
    // PostgreSQL's notification takes a moment. The clock is stopped, so only the deletion can invalidate the page.
    await until(async () => expect((await get()).status).toBe(302), 10_000);
    expect(await (await get({}, "/?tab=latest")).text()).not.toContain("Night Bus");
  });

  test("by any change of the database", async () => {
    await get();
    await world.site.db.updateTable("posts").set({ title: "Day Bus" }).execute();
    expect(await (await get()).text()).toContain("Day Bus");
  });

  test("by a change of the settings in memory", async () => {
    await get();
    world.site.settings.siteName = "Another Place";
    expect(await (await get()).text()).toContain("Night Bus · Another Place");
    world.site.settings.maintenanceMode = true;
    expect((await get()).status).toBe(503);
  });

  test("by a change during its rendering", async () => {
    let change = Promise.resolve() as Promise<unknown>;
    const latest = () => {
      // The loader calls this before it reads.
      change = world.site.db.updateTable("posts").set({ title: "Day Bus" }).execute();
      return world.site.events.latest();
    };
    const slow = openWeb({ site: { ...world.site, events: { ...world.site.events, latest } } }, { cachePages: true });
    await slow.request(path);
    await change;
    expect(await (await slow.request(path)).text()).toContain("Day Bus");
  });
});

describe("the cache is not used for", () => {
  test("members, nor are their pages for visitors", async () => {
    const { cookie } = await signIn(world, world.tobias);
    await get();
    const own = await get({ cookie });
    expect([own.headers.get("etag"), (await own.text()).includes("tobias@example.com")]).toEqual([null, true]);
    expect(await isCached({ cookie })).toBe(false);
    expect(await (await get()).text()).not.toContain("tobias@example.com");
  });

  test("requests with a toast", async () => {
    const cookie = `inkstead_toast=${encodeURIComponent(JSON.stringify({ tone: "info", text: "Hello you" }))}`;
    await get();
    const response = await get({ cookie });
    expect(await response.text()).toContain("Hello you");
    expect(response.headers.getSetCookie().join()).toContain("inkstead_toast=;");
    expect(await (await get()).text()).not.toContain("Hello you");
  });

  test("all stories in the view that a visitor has chosen", async () => {
    world.site.settings.publicStoryListing = true;
    const list = async (cookie = "", to = "/all-posts") => {
      const response = await get({ cookie }, to);
      return [(await response.text()).includes("sm:grid-cols-[minmax(0,1fr)_248px]"), response.headers.get("etag") !== null];
    };
    const [chosen = ""] = (await get({}, "/all-posts?view=list")).headers.getSetCookie();
    const cookie = chosen.split(";")[0];
    expect(await list()).toEqual([false, true]);
    expect(await list(cookie)).toEqual([true, false]);
    expect(await list()).toEqual([false, true]);
    expect(await list(cookie, path)).toEqual([false, true]);
  });

  test("redirects, errors, data and HEAD", async () => {
    for (const [to, status] of [
      ["/post/nowhere", 302],
      ["/nowhere", 404],
      [`${path}.data`, 200],
    ] as const) {
      const response = await get({}, to);
      expect([to, response.status, response.headers.get("etag")]).toEqual([to, status, null]);
    }
    expect((await web.request(path, { method: "HEAD" })).headers.get("etag")).toBeNull();
  });
});
