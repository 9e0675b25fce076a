import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { changePage } from "#domain/pages/page-texts.server.ts";
import { createPost, deletePost } from "#domain/posts/posts.server.ts";
import { setPostStatus } from "#domain/posts/update-post.server.ts";
import { holdPost } from "#domain/posts/visibility.server.ts";
import { setLike } from "#domain/reactions/reactions.server.ts";
import { saveSettingsAsOperator } from "#domain/settings/settings.server.ts";
import type { Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { type Answer, ask, type Served, serve } from "../../tests/support/browsers/cached-pages.ts";
import { picture } from "../../tests/support/pictures.ts";
import { until } from "../../tests/support/until.ts";
import { openWorld, type World } from "../../tests/support/world.ts";

let world: World;
let served: Served;
beforeEach(async () => {
  world = await openWorld();
  served = await serve(world.site, 1_000);
  const post = { title: "Night Bus", slug: "night-bus", content: "It hums.", status: "active" } as const;
  await createPost(world.site, world.maren, post, await picture());
});
afterEach(async () => {
  served.close();
  await world.close();
});

const path = "/post/night-bus";

const get = (to = path, headers: Record<string, string> = {}, { method = "GET", from = served } = {}) => ask(from, to, headers, method);

/** Repeats the request until the response comes from the cache. */
async function getCached(to = path, headers: Record<string, string> = {}): Promise<Answer> {
  return until(async () => {
    const before = served.cacheHits();
    const response = await get(to, headers);
    expect(served.cacheHits()).toBe(before + 1);
    return response;
  }, 30_000);
}

test("a cached page has the same content and headers as the route's response", async () => {
  const routed = await get();
  const cached = await getCached();
  expect(cached.text).toContain("Night Bus");
  const names = ({ headers }: Answer) => Object.keys(headers).filter((name) => !["date", "connection", "keep-alive"].includes(name));
  expect(names(cached).sort()).toEqual(names(routed).sort());
  expect([cached.headers["x-frame-options"], cached.headers["cache-control"]]).toEqual(["DENY", "private, no-cache"]);
});

test("answers 304 to a browser that has the page, and HEAD without a body", async () => {
  const { headers } = await getCached();
  const again = await getCached(path, { "if-none-match": String(headers.etag) });
  expect([again.status, again.text, again.headers["content-security-policy"]]).toEqual([304, "", undefined]);
  const head = await get(path, {}, { method: "HEAD" });
  expect([head.status, head.text, head.headers.etag]).toEqual([200, "", headers.etag]);
});

test("likes show after a second", async () => {
  const { headers } = await getCached();
  await setLike(world.site, world.tobias, "night-bus", true);
  expect((await getCached()).headers.etag).toBe(headers.etag);
  world.clock.advance(1_001);
  expect((await get()).text).toContain(">1</span> <!-- -->Like");
});

test("counts towards the network's limit", async () => {
  const strict = await serve(world.site, 0.0025);
  const statuses: number[] = [];
  for (let round = 0; round < 6; round++) statuses.push((await get(path, {}, { from: strict })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  strict.close();
});

describe("a cached page is invalidated at once by", () => {
  const why = { reason: "Against the rules" };
  const changes: Record<string, { page: string; shown: string; change: (site: Site) => Promise<unknown> }> = {
    deletion: { page: path, shown: "It hums.", change: (site) => deletePost(site, world.maren, "night-bus") },
    "a hold": { page: path, shown: "It hums.", change: (site) => holdPost(site, world.ruth, "night-bus", why) },
    unpublishing: { page: path, shown: "It hums.", change: (site) => setPostStatus(site, world.maren, "night-bus", "inactive") },
    maintenance: { page: "/", shown: "Night Bus", change: (site) => saveSettingsAsOperator(site, { maintenanceMode: true }) },
    "a new site name": { page: "/terms", shown: "Inkstead", change: (site) => saveSettingsAsOperator(site, { siteName: "Elsewhere" }) },
    "a page's text": {
      page: "/terms",
      shown: "You keep all rights",
      change: (site) => changePage(site, world.ruth, "terms", { title: "Terms", lead: "", text: "None." }, 0),
    },
  };

  for (const [name, { page, shown, change }] of Object.entries(changes))
    for (const where of ["this process", "another process"])
      test(`${name} in ${where}`, async () => {
        const before = await getCached(page);
        expect(before.text).toContain(shown);
        if (where === "this process") await change(world.site);
        else {
          const other = await openSite(readConfig(world.environment), createLog("silent"));
          await change(other);
          await closeSite(other);
        }
        // The clock is stopped, so only the change can invalidate the page.
        await until(async () => expect((await get(page)).headers.etag).not.toBe(before.headers.etag), 10_000);
      });
});
