import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type RunningS3, startS3 } from "../../tests/support/s3.ts";
import { ConfigError } from "../config.ts";
import { createLog } from "../log.ts";
import type { FileStore } from "./file-store.ts";
import { checkFiles } from "./open.ts";
import { s3Store } from "./s3.ts";
import type { S3Config } from "./s3-url.ts";

const bytes = (text: string) => Buffer.from(text);
const megabyte = 1024 * 1024;

let s3: RunningS3;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.close());

const opened: FileStore[] = [];
const servers: Server[] = [];
const open = (place: S3Config, requestTimeoutMs?: number) => {
  const store = s3Store(place, requestTimeoutMs);
  opened.push(store);
  return store;
};
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

describe("two sites in one bucket", () => {
  test("can't read each other's files", async () => {
    const [one, other] = [open(s3.place({ prefix: "shelf/a" })), open(s3.place({ prefix: "shelf/ab" }))];
    await one.put("x/original", bytes("one"));
    await other.put("x/original", bytes("other"));
    await one.deleteFolder("x");
    expect(await one.get("x/original")).toBeUndefined();
    expect(String(await other.get("x/original"))).toBe("other");
  });

  test("one of them may have no prefix", async () => {
    const bare = open(s3.place({ prefix: "" }));
    await bare.put("bare/original", bytes("bare"));
    expect(String(await open(s3.place({ prefix: "bare" })).get("original"))).toBe("bare");
  });
});

test("sixty paused readers don't block the store", async () => {
  const store = open(s3.place(), 60_000);
  await store.put("a/original", Buffer.alloc(3 * megabyte));
  const streams: (Readable | undefined)[] = [];
  // One by one: sixty new connections at once can take a busy machine longer than the time allowed for one.
  for (let reader = 0; reader < 60; reader++) {
    const stream = await store.stream("a/original", 0, 3 * megabyte - 1);
    if (stream) await once(stream, "readable");
    stream?.read(1);
    streams.push(stream);
  }
  expect(await store.size("a/original")).toBe(3 * megabyte);
  for (const stream of streams) stream?.destroy();
});

describe("at start", () => {
  const attempt = (place: S3Config) => checkFiles(open(place, 1_000), createLog("silent"));

  test("a responding store is usable", async () => {
    expect(await attempt(s3.place())).toBe(true);
  });

  test("a missing bucket stops it with the store's error", async () => {
    const error = await attempt(s3.place({ bucket: "another-bucket" })).catch((caught) => caught);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toMatch(/^FILES_URL, or the keys for it, can't be used: the store responded NoSuchBucket, “The specified bucket/);
  });

  test("unknown keys stop it", async () => {
    const credentials = { accessKeyId: "wrong", secretAccessKey: "S3RVER" };
    await expect(attempt(s3.place({ credentials }))).rejects.toThrow("the store responded InvalidAccessKeyId");
  });

  test("a refused signature stops it", async () => {
    const refused = "<Error><Code>SignatureDoesNotMatch</Code><Message>Check your key.</Message></Error>";
    const place = await answering((request, response) => request.resume().on("end", () => response.writeHead(403).end(refused)));
    await expect(attempt(place)).rejects.toThrow("the store responded SignatureDoesNotMatch, “Check your key.”");
  });

  test("a store that is down or busy doesn't stop it", async () => {
    expect(await attempt(s3.place({ endpoint: "http://127.0.0.1:1" }))).toBe(false);
    expect(await attempt(await answering((_, response) => response.writeHead(503).end()))).toBe(false);
    expect(await attempt(await answering((_, response) => response.writeHead(429).end()))).toBe(false);
  });
});

describe("a store that does not respond", () => {
  const calls: [string, (store: FileStore) => Promise<unknown>][] = [
    // Another file: a complete upload may still arrive after its timeout.
    ["put", (store) => store.put("b/original", Buffer.alloc(megabyte))],
    ["get", (store) => store.get("a/original")],
    ["size", (store) => store.size("a/original")],
    ["stream", (store) => store.stream("a/original", 0, 9)],
    ["deleteFolder", (store) => store.deleteFolder("a")],
    ["check", (store) => store.check()],
  ];

  test.each(calls)("because it hangs times out: %s", async (_, call) => {
    const place = s3.place();
    const slowStore = open(place, 60_000);
    await slowStore.put("a/original", bytes("0123456789"));
    s3.freeze();
    const failure = await call(open(place, 700)).then(
      () => undefined,
      (error: Error) => error,
    );
    s3.thaw();
    expect(failure?.name).toBe("AbortError");
    expect(String(await slowStore.get("a/original"))).toHaveLength(failure ? 10 : 0);
  });

  test("because it is down is detected at once, and used again later", async () => {
    const store = open(s3.place());
    await store.put("a/original", bytes("kept"));
    await s3.kill();
    for (const [, call] of calls) await expect(call(store)).rejects.toThrow(/ECONNREFUSED|socket|ECONNRESET/);
    await s3.start();
    expect(String(await store.get("a/original"))).toBe("kept");
  });

  test("in the middle of a file times out", async () => {
    const store = open(await answering(half), 500);
    await expect(store.get("a/original")).rejects.toThrow();
    await expect(store.stream("a/original", 0, 9)).rejects.toThrow();
  });
});

test("a reader who disconnects aborts the request", async () => {
  const requests: IncomingMessage[] = [];
  const place = await answering((request, response) => {
    requests.push(request);
    const range = String(request.headers.range);
    if (range.startsWith("bytes=0-")) response.writeHead(206, { "content-length": megabyte }).end(Buffer.alloc(megabyte));
    else half(request, response);
  });
  const stream = await open(place).stream("a/original", 0, 3 * megabyte - 1);
  stream?.once("data", () => {});
  while (requests.length < 2) await sleep(10);
  const gone = new Promise((resolve) => requests[1]?.socket.once("close", resolve));
  stream?.destroy();
  await gone;
  await sleep(50);
  expect(requests.map((request) => request.headers.range)).toEqual([`bytes=0-${megabyte - 1}`, `bytes=${megabyte}-${2 * megabyte - 1}`]);
});

test("a file that was shortened meanwhile fails instead of ending early", async () => {
  const place = await answering((_, response) => response.writeHead(206, { "content-length": 3 }).end("abc"));
  await expect(open(place).stream("a/original", 0, 9)).rejects.toThrow("is shorter than it was");
});

test("a folder with a file that can't be removed reports an error", async () => {
  const listing = "<ListBucketResult><Contents><Key>a/original</Key></Contents></ListBucketResult>";
  const refused = "<DeleteResult><Error><Key>a/original</Key><Code>AccessDenied</Code></Error></DeleteResult>";
  const place = await answering((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/xml" }).end(request.method === "GET" ? listing : refused);
  });
  await expect(open(place).deleteFolder("a")).rejects.toThrow("not everything in a could be removed");
});

test.each([
  [false, undefined],
  [true, expect.stringMatching(/^[\w+/=]{8}$/)],
])("with checksums=%s an upload carries %s beside the hash it is signed with", async (checksums, expected) => {
  const headers: IncomingMessage["headers"][] = [];
  const place = await answering((request, response) => {
    headers.push(request.headers);
    request.resume().on("end", () => response.end());
  });
  await open({ ...place, checksums }).put("a/original", bytes("text"));
  expect(headers[0]?.["x-amz-checksum-crc32"]).toEqual(expected);
  expect(headers[0]?.["x-amz-content-sha256"]).toBe("982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1");
});

/** A store with the given handler. */
async function answering(answer: RequestListener): Promise<S3Config> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return s3.place({ endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** The start of a response that never ends. */
function half(...[, response]: Parameters<RequestListener>): void {
  response.writeHead(206, { "content-length": 10 }).write("01234");
}
