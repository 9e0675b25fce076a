import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFetcher } from "#platform/fetch/fetcher.ts";
import { picture } from "../../tests/support/pictures.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { readStorage } from "../files/files.server.ts";
import { findReadableFile } from "../files/serve.server.ts";
import { fetchPicturesOfNextPost } from "./content.server.ts";
import { createPost, deletePost, previewContent } from "./posts.server.ts";
import { updatePost } from "./update-post.server.ts";

let world: World;
let server: Server;
let requests: string[];
let at: string;
beforeEach(async () => {
  world = await openWorld();
  requests = [];
  const bytes = (await picture("boat.png", 300, 200)).bytes;
  server = createServer((request, response) => {
    requests.push(request.url ?? "");
    if (request.url?.startsWith("/boat")) response.end(bytes);
    else if (request.url === "/text") response.end("no picture");
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  at = `http://pictures.example:${port}`;
  world.site.fetcher = createFetcher({ resolve: async () => ["127.0.0.1"], allowedTargets: [{ ip: "127.0.0.1", port }] });
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await world.close();
});

const html = async (id = "tides") =>
  (await world.site.db.selectFrom("posts").select("content").where("id", "=", id).executeTakeFirstOrThrow()).content;
const publish = async (content: string, format?: "html") =>
  createPost(world.site, world.maren, { title: "Tides", slug: "tides", content, status: "active" }, await picture(), { format });
const kept = /<img src="\/files\/(\w+)\/1200\.webp"/;

test("a published story has copies of pictures from other sites; anything else becomes a link", async () => {
  const { site, maren } = world;
  const before = (await readStorage(site, maren.id)).used;
  await publish(`One ![boat](${at}/boat.png) two ![gone](${at}/gone.png) three ![no](${at}/text) four ![in](http://127.0.0.1/x.png)`);
  const [, fileId = ""] = kept.exec(await html()) ?? [];
  expect((await html()).match(/<img/g)).toHaveLength(1);
  expect(await html()).toContain(`<a href="${at}/gone.png" rel="nofollow noopener ugc">gone</a>`);
  expect(await findReadableFile(site, null, fileId)).toMatchObject({ isPublic: true, type: "image/webp" });
  expect((await readStorage(site, maren.id)).used).toBeGreaterThan(before);
  const files = await site.db.selectFrom("files").select(["id", "attachedAt"]).execute();
  expect(files.every(({ attachedAt }) => attachedAt !== null)).toBe(true);
  await deletePost(site, maren, "tides");
  expect(await site.db.selectFrom("files").select("id").execute()).toEqual([]);
});

test("another address of the site becomes its description and is not fetched", async () => {
  await publish("Once ![boat](/account/export/everything.zip) ![](http://inkstead.test/search/suggestions?q=boat)");
  expect(await html()).toBe("<p>Once <span>boat</span> <span>Picture</span></p>");
  expect(requests).toEqual([]);
});

test("stored pictures are not fetched again, added ones are", async () => {
  const { site, maren } = world;
  await publish(`![boat](${at}/boat.png)`);
  await updatePost(
    site,
    maren,
    "tides",
    { title: "Tides", content: `![boat](${at}/boat.png) ![other](${at}/boat-2.png)`, status: "active" },
    { version: 1 },
  );
  expect(requests).toEqual(["/boat.png", "/boat-2.png"]);
  expect((await html()).match(/<img src="\/files\//g)).toHaveLength(2);
});

test("HTML from the API is treated alike and can be sent again", async () => {
  const text = `<p>Once <img src="${at}/boat.png"></p>`;
  await publish(text, "html");
  expect(await html()).toMatch(kept);
  expect(await publish(text, "html")).toMatchObject({ id: "tides" });
  expect(requests).toEqual(["/boat.png"]);
});

test("a preview fetches nothing and counts what will be fetched", async () => {
  const preview = await previewContent(world.site, world.maren, `![boat](${at}/boat.png)`);
  expect(preview).toMatchObject({ fromElsewhere: 1, html: expect.stringContaining(`<a href="${at}/boat.png"`) });
  expect(requests).toEqual([]);
});

test("a story has a limit of pictures, and a full storage doesn't stop publishing", async () => {
  const many = Array.from({ length: 60 }, (_, n) => `![boat](${at}/gone-${n})`).join(" ");
  await publish(many);
  expect(requests).toHaveLength(50);
  const cover = await picture();
  const create = (slug: string, content: string) =>
    createPost(world.site, world.maren, { title: "Full", slug, content, status: "active" }, cover);
  const used = async () => (await readStorage(world.site, world.maren.id)).used;
  const before = await used();
  await create("plain", "Once.");
  const room = 2 * (await used()) - before + 10;
  world.site.settings.storagePerMember = room / 1024 / 1024;
  await create("full", `![boat](${at}/boat.png)`);
  expect(await html("full")).toContain(`<a href="${at}/boat.png"`);
});

test("pictures of older stories are fetched one story at a time, and nothing else changes", async () => {
  const { site } = world;
  await publish("Once.");
  const old = `<p>Once <img src="${at}/boat.png" alt="boat" loading="lazy"> and <img src="${at}/gone" alt="gone" loading="lazy">.</p>`;
  await site.db.updateTable("posts").set({ content: old }).execute();
  await site.db.insertInto("picture_queue").values({ postId: "tides" }).execute();
  expect(await fetchPicturesOfNextPost(site)).toBe(true);
  expect(await html()).toMatch(
    /^<p>Once <img src="\/files\/\w+\/1200.webp" alt="boat" loading="lazy" width="300" height="200"> and <a href="[^"]+gone" rel="[^"]+">gone<\/a>\.<\/p>$/,
  );
  expect(await fetchPicturesOfNextPost(site)).toBe(false);
});
