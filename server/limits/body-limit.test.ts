import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formLimits } from "#domain/forms/form-limits.ts";
import { kilobyte, megabyte } from "#platform/bytes.ts";
import { actionPaths } from "../../tests/fuzz/actions.ts";
import { openRaw, type RawConnection, requestHead } from "../../tests/fuzz/raw-http.ts";
import { openWeb } from "../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";
import { openBodyMemory } from "./bodies.ts";
import { limitConnections } from "./connections.ts";
import { isSearch, routeClassOf } from "./route-class.ts";
import { bodyMemory, routeClasses } from "./table.ts";

const paths = await actionPaths();
const encoded = "application/x-www-form-urlencoded";

describe("bodies", () => {
  let world: World;
  let server: Server;
  let url: string;
  let cookie: string;
  beforeAll(async () => {
    world = await openWorld();
    server = createServer(getRequestListener(openWeb(world).fetch));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    cookie = (await signIn(world, world.maren)).cookie;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await world.close();
  });

  /** Sends a body without a length until the server responds or all of it is sent. */
  async function sendChunked(path: string, megabytes: number, headers: Record<string, string> = {}): Promise<number> {
    const connection = await openRaw(url);
    const chunked = { "transfer-encoding": "chunked", "content-type": encoded, origin: "http://inkstead.test", connection: "close" };
    connection.send(requestHead("POST", path, { ...chunked, ...headers }));
    connection.sendChunk("a=");
    for (let i = 0; i < megabytes * 16 && !connection.socket.destroyed; i++) connection.sendChunk("x".repeat(64 * kilobyte));
    connection.sendChunk("");
    const status = await connection.status();
    connection.close();
    return status;
  }

  async function claim(path: string, bytes: number, headers: Record<string, string> = {}): Promise<number> {
    const connection = await openRaw(url);
    const claimed = { "content-length": String(bytes), "content-type": encoded, origin: "http://inkstead.test" };
    connection.send(requestHead("POST", path, { ...claimed, ...headers }));
    const status = await connection.status();
    connection.close();
    return status;
  }

  test("a declared body of 150 MB is refused before its first byte, on every route", async () => {
    const claims = paths.flatMap((path) => [path, `${path.replace(/\?index$/, "")}.data`]);
    const answers = await Promise.all(claims.map(async (path) => ({ path, status: await claim(path, 150e6) })));
    expect(answers.filter(({ status }) => status !== 413)).toEqual([]);
    for (const path of ["/nowhere", "/", "/files/a", "/feed.xml"]) expect(await claim(path, 150e6)).toBe(413);
  });

  test("a body without a length is counted", async () => {
    // The story form checks the session before it reads the body.
    for (const path of ["/theme", "/login", "/subscribe", "/post/night-bus/react"]) expect(await sendChunked(path, 1)).toBe(413);
    expect(await sendChunked("/admin/settings", 1, { cookie: (await signIn(world, world.ruth)).cookie })).toBe(413);
  });

  test("large forms need a session", async () => {
    expect(await claim("/add-post", 1e6)).toBe(413);
    expect(await claim("/add-post", 1e6, { cookie: "inkstead_session=forged.signature" })).toBe(413);
    for (const name of ["x-appwrite-key", "x-appwrite-jwt", "x-appwrite-session"])
      expect(await claim("/add-post", 1e6, { [name]: "forged" })).toBe(413);
    expect(await sendChunked("/add-post", 1, { cookie })).toBe(422);
    expect(await claim("/add-post", 33 * kilobyte * kilobyte, { cookie })).toBe(413);
    expect(await sendChunked("/add-post", 33, { cookie })).toBe(413);
  });

  test("in the API only uploads accept forms, and only members may send more than 64 kB", async () => {
    const multipart = { "content-type": "multipart/form-data; boundary=x", "x-appwrite-project": "inkstead" };
    const upload = "/v1/storage/buckets/files/files";
    expect(await claim("/v1/account/sessions/email", 150e6, multipart)).toBe(413);
    expect(await claim("/v1/account", 150e6, multipart)).toBe(413);
    expect(await claim(upload, 4e6, multipart)).toBe(413);
    expect(await claim(upload, 6e6, { ...multipart, "x-appwrite-key": "forged" })).toBe(413);
    expect(await sendChunked(upload, 4, { ...multipart, "x-appwrite-key": "forged" })).toBe(401);
    const json = { "content-type": "application/json", "x-appwrite-project": "inkstead" };
    expect(await sendChunked("/v1/account/sessions/email", 1, json)).toBe(413);
    const posts = "/v1/databases/main/collections/posts/documents";
    // Refused before the body is read.
    expect(await sendChunked(posts, 1, { ...json, "x-appwrite-key": "forged" })).toBe(401);
  });

  /** Sends the head of a request; its place is taken when this returns, or the status is the refusal's. */
  async function announce(bytes: number, cookie: string, to = url): Promise<{ status: number; connection: RawConnection }> {
    const connection = await openRaw(to);
    const headers = { "content-length": String(bytes), "content-type": encoded, origin: "http://inkstead.test", expect: "100-continue" };
    connection.send(requestHead("POST", "/edit-profile", { ...headers, cookie }));
    return { status: await connection.status(), connection };
  }

  const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(url + path, { method: "POST", body, headers: { origin: "http://inkstead.test", cookie, ...headers }, redirect: "manual" });

  test("beyond the memory for large bodies they are refused for a moment, small ones are not", async () => {
    const each = formLimits.pictures.maxBytes;
    const announced = [];
    for (let taken = each; taken <= bodyMemory.total; taken += each) announced.push(await announce(each, cookie));
    const large = new URLSearchParams({ save: "x".repeat(2 * bodyMemory.uncounted) });
    const refused = await post("/drafts/save", large);
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([503, true]);
    // Without a length, it is counted once it is large.
    expect(await sendChunked("/add-post.data", 1, { cookie })).toBe(503);
    expect((await post("/drafts/save", new URLSearchParams({ save: "{}" }))).status).toBe(422);
    const chunk = new FormData();
    chunk.set("file", new Blob([new Uint8Array(megabyte)]), "a.png");
    const api = await post("/v1/storage/buckets/files/files", chunk, { "x-appwrite-project": "inkstead" });
    expect([api.status, Number(api.headers.get("retry-after")) > 0]).toEqual([503, true]);
    for (const { connection } of announced) connection.close();
    await expect.poll(async () => (await post("/drafts/save", large)).status).toBe(422);
  });

  test("slow bodies make room for others, and one that has arrived doesn't", async () => {
    const each = formLimits.pictures.maxBytes;
    const announced: RawConnection[] = [];
    for (let taken = each; taken <= bodyMemory.total; taken += each) announced.push((await announce(each, cookie)).connection);
    const large = new URLSearchParams({ save: "x".repeat(2 * bodyMemory.uncounted) });
    expect((await post("/drafts/save", large)).status).toBe(503);
    world.clock.advance(bodyMemory.slowAfterMs);
    expect((await post("/drafts/save", large)).status).toBe(422);
    const closed = await Promise.race(announced.map((connection) => connection.everything().then(() => connection)));
    // The others keep their places.
    expect((await post("/drafts/save", large)).status).toBe(422);
    expect(announced.filter((connection) => connection !== closed && connection.socket.readableEnded)).toEqual([]);
    for (const connection of announced) connection.close();
  });

  test("bodies that don't arrive lose their memory", async () => {
    const impatient = createServer(getRequestListener(openWeb(world).fetch));
    limitConnections(impatient, { isProxy: () => false, bodyTimeoutMs: 500, minBodyBytesPerSecond: megabyte, bodyCheckMs: 50 });
    await new Promise<void>((resolve) => impatient.listen(0, "127.0.0.1", resolve));
    const to = `http://127.0.0.1:${(impatient.address() as AddressInfo).port}`;
    const each = formLimits.pictures.maxBytes;
    const announced = [];
    for (let taken = each; taken <= bodyMemory.total; taken += each) announced.push((await announce(each, cookie, to)).connection);
    for (const connection of announced) await connection.everything();
    const body = new URLSearchParams({ save: "x".repeat(2 * bodyMemory.uncounted) });
    const save = () => fetch(`${to}/drafts/save`, { method: "POST", body, headers: { origin: "http://inkstead.test", cookie } });
    await expect.poll(async () => (await save()).status).toBe(422);
    impatient.closeAllConnections();
    await new Promise((resolve) => impatient.close(resolve));
  });

  test("an ended session is answered without its body", async () => {
    const ended = await signIn(world, world.maren);
    await post("/logout", new URLSearchParams(), { cookie: ended.cookie });
    for (const path of ["/drafts/save", "/drafts/picture", "/add-post/preview"]) {
      const connection = await openRaw(url);
      const headers = { "content-length": String(megabyte), "content-type": encoded, origin: "http://inkstead.test", cookie: ended.cookie };
      connection.send(requestHead("POST", path, headers));
      expect([path, await connection.status()]).toEqual([path, 401]);
      connection.close();
    }
    const answer = await post("/drafts/save", new URLSearchParams({ save: "{}" }), { cookie: ended.cookie });
    expect(await answer.json()).toEqual({ kind: "signed-out" });
  });

  test("the refusal has a message for people and for programs", async () => {
    const body = "a".repeat(65 * kilobyte);
    const send = (path: string, headers: Record<string, string>) => post(path, body, { "content-type": encoded, ...headers });
    const page = await send("/theme", { accept: "text/html" });
    expect([page.status, page.headers.get("x-content-type-options")]).toEqual([413, "nosniff"]);
    const html = await page.text();
    expect(html).toContain("too large");
    expect(html).toContain("Go back to find what you typed.");
    const styles = /<style>([^<]*)<\/style>/.exec(html)?.[1] ?? "";
    const hash = createHash("sha256").update(styles).digest("base64");
    expect(page.headers.get("content-security-policy")).toContain(`style-src 'sha256-${hash}'`);
    expect(await (await send("/theme", {})).json()).toMatchObject({ message: expect.stringContaining("too large") });
    const api = await send("/v1/account", { "x-appwrite-project": "inkstead" });
    expect([api.status, (await api.json()).type]).toEqual([413, "general_request_too_large"]);
  });
});

test("one network gets a part of the memory for large bodies", () => {
  const open = openBodyMemory(1, Date.now);
  const openReservation = (network: string) => open({ network });
  const { perNetwork, uncounted } = bodyMemory;
  const [first, second] = [openReservation("203.0.113.5"), openReservation("203.0.113.5")];
  expect([first.reserve(perNetwork), second.reserve(uncounted + 1), second.reserve(uncounted)]).toEqual([true, false, true]);
  expect([first.wasRefused, second.wasRefused]).toEqual([false, true]);
  expect(openReservation("203.0.113.6").reserve(perNetwork)).toBe(true);
  for (const each of [first, first, second]) each.release();
  expect(openReservation("203.0.113.5").reserve(perNetwork)).toBe(true);
});

describe("the table", () => {
  test.each<[method: string, path: string, name: keyof typeof routeClasses]>([
    ["POST", "/login", "signIn"],
    ["POST", "/LOGIN/", "signIn"],
    ["POST", "//login.data", "signIn"],
    ["POST", "/lo%67in", "signIn"],
    ["POST", "/signup/_.data", "signIn"],
    ["GET", "/account/export/everything.zip/_.data", "downloads"],
    ["GET", "/login", "reading"],
    ["PUT", "/add-post", "stories"],
    ["POST", "/add-post/preview", "preview"],
    ["POST", "/edit-post/night-bus", "stories"],
    ["POST", "/edit-post/night-bus/history", "writing"],
    ["GET", "/edit-post/night-bus/history.data", "history"],
    ["GET", "/drafts/maren.night-bus/history", "history"],
    ["GET", "/v1/tablesdb/main/tables/posts/rows", "apiList"],
    ["PATCH", "/v1/databases/main/collections/posts/documents/a", "apiWrite"],
    ["GET", "/v1/storage/buckets/files/files/a/preview", "apiPreview"],
    ["GET", "/v1/ping", "api"],
    ["OPTIONS", "/v1/databases/main/collections/posts/documents", "preflights"],
    ["OPTIONS", "/all-posts", "reading"],
    ["GET", "/profile/maren/feed.xml", "feeds"],
    ["GET", "/sitemap/stories-1.xml", "feeds"],
    ["GET", "/", "reading"],
    ["POST", "/", "writing"],
    ["GET", "/assets/a/b.js", "assets"],
    ["DELETE", "/assets/a/b.js", "writing"],
  ])("%s %s is %s", (method, path, name) => {
    expect(routeClassOf(method, path)).toBe(routeClasses[name]);
  });

  test.each([
    ["/all-posts?q=word", true],
    ["/all-posts?sort=newest&%71=word", true],
    ["/all-posts?q=&%71=word", true],
    ["/all-posts?q=&sort=%71", false],
    ["/all-posts?%71x=word", false],
    ["/profile?tab=drafts&find=word", true],
    ["/profile?tab=drafts&fin%64=word", true],
    ["/profile?tab=drafts&find=", false],
    ["/profile?tab=%66ind=", false],
    ["/all-posts", false],
  ])("%s searches: %s", (url, searches) => {
    expect(isSearch(url)).toBe(searches);
  });

  test("a request for a page's data is of the page's class", () => {
    const pages = [...paths.map((path) => path.replace(/\?index$/, "")), "/account/export/everything.zip", "/admin/audit/export"];
    for (const method of ["GET", "POST"])
      for (const page of pages)
        for (const suffix of ["/", ".data", "/_.data"])
          expect([method, page, suffix, routeClassOf(method, page + suffix)]).toEqual([method, page, suffix, routeClassOf(method, page)]);
  });

  test("the default limit is small", () => {
    const large = paths.filter((path) => routeClassOf("POST", path).maxBody.signedIn > 64 * kilobyte);
    expect(large.toSorted()).toEqual([
      "/add-post",
      "/add-post/preview",
      "/admin/settings/pages/night-bus",
      "/drafts/picture",
      "/drafts/save",
      "/edit-post/night-bus",
      "/edit-profile",
      "/messages/night-bus/attach",
    ]);
    expect(paths.filter((path) => routeClassOf("POST", path).maxBody.visitor > 64 * kilobyte)).toEqual([]);
  });
});
