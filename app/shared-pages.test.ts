import { gunzipSync } from "node:zlib";
import type { Hono } from "hono";
import type { ServerBuild } from "react-router";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setFollow } from "#domain/follows/follows.server.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { setLike } from "#domain/reactions/reactions.server.ts";
import type { Member } from "#domain/site.ts";
import type { Web } from "#server/http.ts";
import { createWeb } from "#server/web.ts";
import { textOf } from "../tests/support/pages.ts";
import { addPost } from "../tests/support/posts.ts";
import { openWeb } from "../tests/support/web.ts";
import { addMember, openWorld, signIn, type World } from "../tests/support/world.ts";

let world: World;
let shared: Hono<Web>;
/** Renders each page for its viewer alone. */
let alone: Hono<Web>;
let readers: Member[];
beforeAll(async () => {
  world = await openWorld();
  shared = openWeb(world);
  const built = (await import(/* @vite-ignore */ new URL("../build/server/index.js", import.meta.url).href)) as ServerBuild;
  const routes = Object.entries(built.routes).map(([id, route]) => [id, route && { ...route, module: { ...route.module, handle: {} } }]);
  const build = async () => ({ ...built, routes: Object.fromEntries(routes) });
  alone = createWeb({ site: world.site, build, dev: false, cachePages: false, limitFactor: 1000 });
  await addPost(world, world.maren, { id: "night-bus", title: "The Night Bus" });
  await addPost(world, world.maren, { id: "draft", title: "Not Yet", status: "inactive" });
  const names = ["Ada", "Ada", "</script><b>$& $1", "名前 👩‍🚀", "x".repeat(50)];
  const members = await Promise.all(names.map((name, at) => addMember(world, name, { email: `reader-${at}@example.com` })));
  readers = [world.maren, world.tobias, world.salma, world.ruth, ...members];
  for (const [at, reader] of members.entries()) {
    for (let sent = 0; sent < at; sent++)
      await sendMessage(world.site, world.maren, { to: reader.id, text: "Hello", sendId: `${reader.id} ${sent}` });
  }
  await setFollow(world.site, world.tobias, { userId: world.maren.id, following: true });
  await setLike(world.site, world.tobias, "night-bus", true);
});
afterAll(() => world.close());

const pathsOf = ({ id }: Member) => [
  ...["/", "/?tab=trending", "/?tab=following", "/all-posts", "/all-posts?q=bus", "/post/night-bus", `/profile/${id}`],
  ...["/featured-writers", "/help", "/subscribe"],
];

async function htmlOf(web: Hono<Web>, path: string, cookie: string): Promise<string> {
  const response = await web.request(path, { headers: { cookie, "accept-encoding": "gzip, deflate, br" } });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-encoding")).toBe("gzip");
  return gunzipSync(await response.arrayBuffer()).toString();
}

/** Nonces, times of counting and positions in the event log differ between requests. */
const withoutPassing = (html: string) =>
  html
    .replaceAll(/nonce="[^"]*"/g, "")
    .replaceAll(/"cursor","[\d-]+"/g, "")
    .replaceAll(/"countedAt",[\d.]+/g, "");

describe("pages rendered once for all members", () => {
  test("equal those rendered per member, and contain no other member's name", async () => {
    for (const round of [1, 2]) {
      for (const path of pathsOf(world.maren)) {
        for (const reader of round === 1 ? readers : readers.toReversed()) {
          const { cookie } = await signIn(world, reader);
          const html = await htmlOf(shared, path, cookie);
          expect(withoutPassing(html), `${path} for ${reader.name}`).toBe(withoutPassing(await htmlOf(alone, path, cookie)));
          const others = readers.filter(({ name, id }) => name !== reader.name && id !== world.maren.id);
          for (const { name } of others) expect(textOf(html), `${path} for ${reader.name}`).not.toContain(name);
        }
      }
    }
  });

  test.each(pathsOf({ id: "19dfa1c0000maren00" } as Member))("%s needs no more memory for a second reader", async (path) => {
    const [first, second] = [readers.at(-1), readers.at(-2)].map((reader) => reader ?? world.tobias);
    const { cookie } = await signIn(world, first ?? world.tobias);
    // The second request compresses the page.
    for (let request = 0; request < 2; request++) await htmlOf(shared, path, cookie);
    const before = world.site.memory.sharedPages.bytes;
    expect(before).toBeGreaterThan(0);
    await htmlOf(shared, path, (await signIn(world, second ?? world.tobias)).cookie);
    expect(world.site.memory.sharedPages.bytes).toBe(before);
  });

  test("each has nonces of its own", async () => {
    const { cookie } = await signIn(world, world.tobias);
    const nonces = async () => {
      const response = await shared.request("/subscribe", { headers: { cookie } });
      const [, allowed] = /'nonce-([^']+)'/.exec(response.headers.get("content-security-policy") ?? "") ?? [];
      const used = [...(await response.text()).matchAll(/nonce="([^"]*)"/g)].map(([, nonce]) => nonce);
      expect(new Set(used)).toEqual(new Set([allowed]));
      return allowed;
    };
    expect(await nonces()).not.toBe(await nonces());
  });

  test("show the author's tools to the author only, whoever requests first", async () => {
    for (const reader of [world.tobias, world.maren, world.tobias, world.maren]) {
      const html = await htmlOf(shared, "/post/night-bus", (await signIn(world, reader)).cookie);
      expect(html.includes('href="/edit-post/night-bus"')).toBe(reader === world.maren);
    }
  });

  test("show a member's change on the next page", async () => {
    const { cookie } = await signIn(world, world.ruth);
    const next = async () =>
      /value="like"\/><input [^>]*name="wanted" value="(yes|no)"/.exec(await htmlOf(shared, "/post/night-bus", cookie))?.[1];
    for (const on of [true, false, true]) {
      await setLike(world.site, world.ruth, "night-bus", on);
      expect(await next()).toBe(on ? "no" : "yes");
    }
  });
});
