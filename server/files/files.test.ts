import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createPost } from "#domain/posts/posts.server.ts";
import { originalKey } from "#platform/files/file-keys.ts";
import { serverOptions } from "#server/listen.ts";
import { picture } from "../../tests/support/pictures.ts";
import { type RunningS3, startS3 } from "../../tests/support/s3.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";
import { fileRoutes } from "./files.ts";

// The site writes AVIF but doesn't read it; this test decodes its output.
sharp.unblock({ operation: ["VipsForeignLoadHeifBuffer"] });

let s3: RunningS3;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.close());

describe.each(["disk", "s3"])("files on %s", (kind) => {
  let world: World;
  let fileId: string;
  beforeEach(async () => {
    world = await openWorld({ s3: kind === "s3" ? s3.place() : undefined });
    const post = { title: "A", slug: "a", content: "", status: "active" } as const;
    await createPost(world.site, world.maren, post, await picture());
    fileId = (await world.site.db.selectFrom("files").select("id").executeTakeFirstOrThrow()).id;
  });
  afterEach(() => world.close());

  const ask = async (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fileRoutes(world.site).request(path, { headers, method });
  const get = (path: string, headers?: Record<string, string>) => ask(path, headers);
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
    test("is cacheable forever when its story is published", async () => {
      const response = await get(`/${fileId}/640.webp`);
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, s-maxage=3600, immutable");
      const again = await get(`/${fileId}/640.webp`, { "if-none-match": response.headers.get("etag") ?? "" });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    });
    test("is made once for simultaneous requests", async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => get(`/${fileId}/960.webp`)));
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
    });
    test.each(["641.webp", "640.svg", "640.webp/more", "-1.webp"])("is not available as %s", async (variant) => {
      expect((await get(`/${fileId}/${variant}`)).status).toBe(404);
    });
  });

  describe("the picture of a draft", () => {
    test("is served to its author and administrators, without shared caching", async () => {
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

  test("an unattached upload is not found", async () => {
    await world.site.db.updateTable("posts").set({ featuredImage: null }).execute();
    expect((await get(`/${fileId}`)).status).toBe(404);
  });

  test("a file with missing bytes is answered with 404", async () => {
    await world.site.files.deleteFolder(fileId);
    expect((await get(`/${fileId}/640.webp`)).status).toBe(404);
    expect((await get(`/${fileId}`)).status).toBe(404);
  });

  test("a file that is temporarily unreadable is answered without caching", async () => {
    vi.spyOn(world.site.files, "stream").mockRejectedValue(new Error("the store is away"));
    const response = await get(`/${fileId}`);
    expect([response.status, await response.text()]).toEqual([503, "This file isn’t available right now"]);
    expect([response.headers.get("cache-control"), response.headers.get("retry-after")]).toEqual(["no-store", "10"]);
  });

  describe("a part of a file", () => {
    let all: Buffer;
    let etag: string;
    beforeEach(async () => {
      all = (await world.site.files.get(originalKey(fileId))) ?? Buffer.alloc(0);
      etag = (await ask(`/${fileId}`, {}, "HEAD")).headers.get("etag") ?? "";
    });
    const rangeOf = ({ status, headers }: Response) => [status, headers.get("content-range"), Number(headers.get("content-length"))];
    const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

    test("is sent as requested, of the file and of a resized picture", async () => {
      const variant = await bytesOf(await get(`/${fileId}/96.webp`));
      for (const [path, full] of [
        [`/${fileId}`, all],
        [`/${fileId}/96.webp`, variant],
      ] as const) {
        const size = full.length;
        for (const [range, start, end] of [
          ["bytes=0-0", 0, 0],
          ["bytes=10-19", 10, 19],
          ["bytes=10-", 10, size - 1],
          ["bytes=-7", size - 7, size - 1],
          [`bytes=0-${size * 2}`, 0, size - 1],
        ] as const) {
          const response = await get(path, { range });
          expect(rangeOf(response)).toEqual([206, `bytes ${start}-${end}/${size}`, end - start + 1]);
          expect((await bytesOf(response)).equals(full.subarray(start, end + 1))).toBe(true);
        }
      }
    });

    test("has all headers of the whole file", async () => {
      const [part, full] = await Promise.all([get(`/${fileId}`, { range: "bytes=5-9" }), get(`/${fileId}`)]);
      expect(Object.fromEntries(part.headers)).toEqual({
        ...Object.fromEntries(full.headers),
        "content-length": "5",
        "content-range": `bytes 5-9/${all.length}`,
      });
      expect(Object.fromEntries(full.headers)).toEqual({
        "accept-ranges": "bytes",
        "cache-control": "public, max-age=31536000, s-maxage=3600, immutable",
        "content-disposition": "inline; filename*=UTF-8''lighthouse_optimized.jpg",
        "content-length": String(all.length),
        "content-security-policy": "sandbox; default-src 'none'",
        "content-type": "image/jpeg",
        "cross-origin-resource-policy": "cross-origin",
        etag,
      });
      expect((await bytesOf(full)).equals(all)).toBe(true);
    });

    test("that begins after the end is not satisfiable", async () => {
      const response = await get(`/${fileId}`, { range: `bytes=${all.length}-` });
      expect([response.status, response.headers.get("content-range"), await response.text()]).toEqual([416, `bytes */${all.length}`, ""]);
      expect(response.headers.get("cache-control")).toBe("no-store");
    });

    test("is the whole file for several or invalid ranges", async () => {
      for (const range of ["bytes=0-1,5-9", "bytes=9-5", "pages=1-2", "bytes=x"]) {
        const response = await get(`/${fileId}`, { range });
        expect(rangeOf(response)).toEqual([200, null, all.length]);
        expect((await bytesOf(response)).equals(all)).toBe(true);
      }
    });

    test("is sent only for the same version of the file", async () => {
      expect(rangeOf(await get(`/${fileId}`, { range: "bytes=0-9", "if-range": etag }))[0]).toBe(206);
      for (const other of ['"another"', `W/${etag}`, "Mon, 02 Nov 2026 09:00:00 GMT"]) {
        expect(rangeOf(await get(`/${fileId}`, { range: "bytes=0-9", "if-range": other }))).toEqual([200, null, all.length]);
      }
    });

    test("is not sent if the client has the file", async () => {
      const response = await get(`/${fileId}`, { range: "bytes=0-9", "if-none-match": `"another", W/${etag}` });
      expect([response.status, response.headers.get("etag"), await response.text()]).toEqual([304, etag, ""]);
    });

    test("of a draft is served to its author and administrators only", async () => {
      await makeDraft();
      expect((await get(`/${fileId}`, { range: "bytes=0-9" })).status).toBe(404);
      const response = await get(`/${fileId}`, { range: "bytes=0-9", cookie: (await signIn(world, world.maren)).cookie });
      expect([...rangeOf(response), response.headers.get("cache-control")]).toEqual([
        206,
        `bytes 0-9/${all.length}`,
        10,
        "private, no-cache",
      ]);
    });

    test("of missing bytes is answered with 404", async () => {
      await world.site.files.deleteFolder(fileId);
      for (const method of ["GET", "HEAD"]) expect((await ask(`/${fileId}`, { range: "bytes=0-9" }, method)).status).toBe(404);
    });
  });

  describe("through a real connection", () => {
    let server: Server;
    let all: Buffer;
    let streams: Readable[];
    beforeEach(async () => {
      all = randomBytes(20 * 1024 * 1024);
      await world.site.files.put(originalKey(fileId), all);
      await world.site.db.updateTable("files").set({ size: all.length }).execute();
      streams = [];
      const { stream } = world.site.files;
      vi.spyOn(world.site.files, "stream").mockImplementation(async (...part) => {
        const opened = await stream(...part);
        if (opened) streams.push(opened);
        return opened;
      });
      server = createServer(serverOptions, getRequestListener(fileRoutes(world.site).fetch)).listen(0, "127.0.0.1");
      await once(server, "listening");
    });
    afterEach(() => {
      server.closeAllConnections();
      server.close();
    });
    const port = () => (server.address() as AddressInfo).port;
    const allClosed = async () => {
      while (!streams.every((stream) => stream.closed)) await sleep(10);
      return streams.length;
    };

    test("20 MB arrive unchanged, and HEAD sends the length", async () => {
      const url = `http://127.0.0.1:${port()}/${fileId}`;
      const head = await fetch(url, { method: "HEAD" });
      expect([head.status, head.headers.get("content-length"), head.headers.get("accept-ranges"), await head.text()]).toEqual([
        200,
        String(all.length),
        "bytes",
        "",
      ]);
      expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(all)).toBe(true);
      const ranged = await fetch(url, { headers: { range: "bytes=-5000000" } });
      expect(Buffer.from(await ranged.arrayBuffer()).equals(all.subarray(-5_000_000))).toBe(true);
      expect(await allClosed()).toBe(3);
    });

    test("a slow client slows reading down, and a disconnected one ends it", async () => {
      const client = connect(port(), "127.0.0.1");
      client.write(`GET /${fileId} HTTP/1.1\r\nhost: a\r\n\r\n`);
      await once(client, "readable");
      await sleep(500);
      expect(streams.map((stream) => [stream.readableEnded, stream.destroyed])).toEqual([[false, false]]);
      const logged = vi.spyOn(world.site.log, "error");
      client.destroy();
      expect(await allClosed()).toBe(1);
      expect(streams[0]?.readableEnded).toBe(false);
      expect(logged).not.toHaveBeenCalled();
    });

    test("a failed read aborts the response", async () => {
      const logged = vi.spyOn(world.site.log, "error");
      const client = connect(port(), "127.0.0.1");
      client.write(`GET /${fileId} HTTP/1.1\r\nhost: a\r\n\r\n`);
      await once(client, "readable");
      let length = 0;
      client.on("data", (chunk) => (length += chunk.length));
      streams[0]?.destroy(new Error("the store went away"));
      await once(client, "close");
      expect(length).toBeLessThan(all.length);
      expect(logged).toHaveBeenCalledWith(expect.objectContaining({ fileId }), "a file could not be sent completely");
    });
  });
});
