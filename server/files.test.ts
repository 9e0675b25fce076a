import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPost } from "#domain/posts/posts.server.ts";
import { picture } from "../tests/pictures.ts";
import { openWorld, signIn, type World } from "../tests/world.ts";
import { fileDoor } from "./files.ts";

// The site reads no AVIF, it only writes it; this test looks at what it wrote.
sharp.unblock({ operation: ["VipsForeignLoadHeifBuffer"] });

let world: World;
let fileId: string;
beforeEach(async () => {
  world = await openWorld();
  const story = { title: "A", slug: "a", content: "", status: "active" } as const;
  await createPost(world.site, world.maren, story, await picture());
  fileId = (await world.site.db.selectFrom("files").select("id").executeTakeFirstOrThrow()).id;
});
afterEach(() => world.close());

const get = async (path: string, headers: Record<string, string> = {}) => fileDoor(world.site).request(path, { headers });
const makeDraft = () => world.site.db.updateTable("posts").set({ status: "inactive" }).execute();

describe("a picture", () => {
  test.each([
    ["640.webp", "webp", 640],
    ["320.jpeg", "jpeg", 320],
    ["96.avif", "heif", 96],
  ])("comes as %s", async (variant, format, width) => {
    const response = await get(`/${fileId}/${variant}`);
    expect(response.status).toBe(200);
    const metadata = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect([metadata.format, metadata.width]).toEqual([format, width]);
  });
  test("may be kept for ever by anybody when its story is published", async () => {
    const response = await get(`/${fileId}/640.webp`);
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const again = await get(`/${fileId}/640.webp`, { "if-none-match": response.headers.get("etag") ?? "" });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });
  test("is made once when several ask at the same time", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => get(`/${fileId}/960.webp`)));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
  });
  test.each(["641.webp", "640.svg", "640.webp/more", "-1.webp"])("does not come as %s", async (variant) => {
    expect((await get(`/${fileId}/${variant}`)).status).toBe(404);
  });
});

describe("the picture of a draft", () => {
  test("is its author's and the administrators', and nobody else keeps it", async () => {
    await makeDraft();
    for (const person of [world.maren, world.ruth]) {
      const response = await get(`/${fileId}/640.webp`, { cookie: (await signIn(world, person)).cookie });
      expect([response.status, response.headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
    }
  });
  test("does not exist for visitors and other members", async () => {
    await makeDraft();
    expect((await get(`/${fileId}/640.webp`)).status).toBe(404);
    expect((await get(`/${fileId}`, { cookie: (await signIn(world, world.tobias)).cookie })).status).toBe(404);
  });
});

test("an upload that no story shows does not exist", async () => {
  await world.site.db.updateTable("posts").set({ featuredImage: null }).execute();
  expect((await get(`/${fileId}`)).status).toBe(404);
});

test("a file whose bytes are gone answers 404", async () => {
  await world.site.files.deleteFolder(fileId);
  expect((await get(`/${fileId}/640.webp`)).status).toBe(404);
  expect((await get(`/${fileId}`)).status).toBe(404);
});
