import { readdirSync } from "node:fs";
import type { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPost } from "#domain/posts/posts.server.ts";
import type { Web } from "#server/http.ts";
import { ask, serve } from "../../tests/support/browsers/cached-pages.ts";
import { picture } from "../../tests/support/pictures.ts";
import { addPost } from "../../tests/support/posts.ts";
import { openWeb } from "../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";

let world: World;
let web: Hono<Web>;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
});
afterEach(() => world.close());

const show = (path: string, cookie = "", destination = "image") =>
  web.request(path, { headers: { cookie, "sec-fetch-dest": destination } });

describe("an element such as <img> gets", () => {
  test("files, icons and assets", async () => {
    const post = { title: "Night Bus", slug: "night-bus", content: "It hums.", status: "active" } as const;
    await createPost(world.site, world.maren, post, await picture());
    const { id } = await world.site.db.selectFrom("files").select("id").executeTakeFirstOrThrow();
    const asset = readdirSync("build/client/assets").find((name) => name.endsWith(".js"));
    const ofApi = ["view", "download", "preview"].map((what) => `/v1/storage/buckets/files/files/${id}/${what}?project=inkstead`);
    const icons = ["/favicon.svg", "/favicon-32.png", "/apple-touch-icon.png", "/icon-192.png", "/icon-512.png", "/icon-maskable.png"];
    for (const path of [`/files/${id}`, `/files/${id}/640.webp`, `/files/${id}?download`, ...ofApi, ...icons, `/assets/${asset}`])
      expect([path, (await show(path)).status]).toEqual([path, 200]);
  });

  test.each(["image", "audio", "video", "track"])("nothing else, as %s", async (destination) => {
    const { cookie } = await signIn(world, world.maren);
    for (const path of ["/", "/account/export/everything.zip", "/search/suggestions?q=boat", "/feed.xml", "/v1/ping", "/healthz"]) {
      const answer = await show(path, cookie, destination);
      expect([path, answer.status, await answer.text(), answer.headers.get("cache-control")]).toEqual([path, 404, "Not found", "no-store"]);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("no draft, which would be recorded for its reader", async () => {
    await addPost(world, world.maren, { id: "draft", status: "inactive" });
    const { cookie } = await signIn(world, world.ruth);
    const recorded = () => world.site.db.selectFrom("audit_log").select("action").execute();
    expect((await show("/post/draft", cookie)).status).toBe(404);
    expect(await recorded()).toEqual([]);
    expect((await show("/post/draft", cookie, "document")).status).toBe(200);
    expect(await recorded()).toEqual([{ action: "draft.viewed" }]);
  });
});

test("pages requested as pictures use up no limit, neither from the cache nor from the routes", async () => {
  const served = await serve(world.site, 0.0025);
  const askAs = async (destination: string, path = "/featured-writers") =>
    (await ask(served, path, { "sec-fetch-dest": destination })).status;
  expect(await askAs("document")).toBe(200);
  for (let round = 0; round < 10; round++) expect([await askAs("image"), await askAs("image", "/search?q=boat")]).toEqual([404, 404]);
  expect(await askAs("document")).toBe(200);
  served.close();
});
