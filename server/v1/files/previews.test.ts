import { readdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, expect, test } from "vitest";
import { storeChunk } from "#domain/files/api-files.server.ts";
import { storePostPicture } from "#domain/files/post-files.server.ts";
import { sessionValue } from "#server/v1/caller.ts";
import { createWeb } from "#server/web.ts";
import { signIn } from "../../../tests/support/members.ts";
import { picture } from "../../../tests/support/pictures.ts";
import { openWorld, type World } from "../../../tests/support/world.ts";

let world: World;
let web: ReturnType<typeof createWeb>;
beforeEach(async () => {
  world = await openWorld();
  web = createWeb({ site: world.site, build: () => Promise.reject(new Error("no pages here")), dev: true });
});
afterEach(() => world.close());

const ask = (query: string, id = "cover", init: RequestInit = {}) =>
  web.request(`/v1/storage/buckets/files/files/${id}/preview?project=inkstead&${query}`, init);

async function keepPublic(id: string, bytes: Uint8Array, name = `${id}.jpg`): Promise<void> {
  await storeChunk(world.site, world.maren, { id, name, type: "image/jpeg", bytes, publicly: true });
}

async function asTobias(): Promise<Record<string, string>> {
  const { cookie } = await signIn(world, world.tobias);
  const token = decodeURIComponent(cookie.slice(cookie.indexOf("=") + 1)).split(".")[0] ?? "";
  return { "x-appwrite-session": sessionValue(world.site, world.tobias.id, token) };
}

const storedPreviews = (id: string) => readdirSync(join(world.dataDir, "files", id)).filter((name) => name.startsWith("preview"));

test("visitors get few different previews of a file, of at most 1200 pixels", async () => {
  await keepPublic("cover", (await picture("cover.jpg", 3000, 1500)).bytes);
  const sizes = new Set<string>();
  for (let at = 0; at < 60; at++) {
    const response = await ask(
      `width=${1 + at * 66}&height=${1 + at * 60}&borderColor=ff${at.toString(16).padStart(2, "0")}00&output=webp`,
    );
    expect(response.status).toBe(200);
    const { width = 0, height = 0 } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    sizes.add(`${width}x${height}`);
    expect(Math.max(width, height)).toBeLessThanOrEqual(1200);
  }
  expect(sizes.size).toBeLessThanOrEqual(11);
  for (let at = 0; at < 60; at++) expect((await ask(`width=96&height=96&opacity=0.${at % 10}&borderWidth=${at}`)).status).toBe(200);
  expect(storedPreviews("cover").length).toBeLessThanOrEqual(32);
});

test("members get up to 2000 pixels, and previews are cached", async () => {
  await keepPublic("cover", (await picture("cover.jpg", 3000, 1500)).bytes);
  const large = await ask("width=4000", "cover", { headers: await asTobias() });
  expect((await sharp(Buffer.from(await large.arrayBuffer())).metadata()).width).toBe(2000);
  const first = await ask("width=600&output=avif&quality=100");
  const stored = storedPreviews("cover").length;
  const again = await ask("width=640&output=avif&quality=99");
  expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
  expect(Buffer.from(await again.arrayBuffer()).equals(Buffer.from(await first.arrayBuffer()))).toBe(true);
  expect(storedPreviews("cover").length).toBe(stored);
});

test("many previews wait, are refused beyond a limit, and delay neither other clients nor uploads", async () => {
  await keepPublic("cover", (await picture("cover.jpg", 2000, 1000)).bytes);
  const headers = await asTobias();
  const flood = Array.from({ length: 40 }, (_, at) => ask(`width=640&height=640&opacity=0.${(at % 9) + 1}&borderWidth=${at * 2}`));
  const mine = await ask("width=96", "cover", { headers });
  expect(mine.status).toBe(200);
  const { size } = await storePostPicture(world.site, world.maren, await picture("sea.jpg", 400, 300));
  expect(size).toBeGreaterThan(0);
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
});

test("previews for clients that have gone are not drawn", async () => {
  await keepPublic("cover", (await picture("cover.jpg", 2000, 1000)).bytes);
  const leaving = new AbortController();
  const waiting = Array.from({ length: 10 }, (_, at) =>
    ask(`width=1200&height=1200&borderWidth=${at * 10}`, "cover", { signal: leaving.signal }),
  );
  await new Promise(setImmediate);
  leaving.abort();
  for (const answer of waiting) expect((await answer).status).toBe(503);
  expect((await ask("width=96")).status).toBe(200);
  expect(storedPreviews("cover")).toEqual(["preview-96.jpeg"]);
});

test("a network over its limit gets Retry-After, but still cached previews", async () => {
  await keepPublic("cover", (await picture("cover.jpg", 400, 300)).bytes);
  await keepPublic("broken", Buffer.concat([(await picture()).bytes.subarray(0, 400), Buffer.alloc(100)]));
  expect((await ask("width=96")).status).toBe(200);
  const statuses: number[] = [];
  for (let at = 0; at < 40 && statuses.at(-1) !== 429; at++) statuses.push((await ask("width=96", "broken")).status);
  expect(statuses.at(-1)).toBe(429);
  const refused = await ask("width=192");
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect((await ask("width=96")).status).toBe(200);
  world.clock.advance(10 * 60_000);
  expect((await ask("width=192")).status).toBe(200);
});
