import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Duplex } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { kilobyte, megabyte } from "#platform/bytes.ts";
import { openRaw, requestHead } from "../../tests/fuzz/raw-http.ts";
import { serverOptions } from "../listen.ts";
import { limitConnections } from "./connections.ts";
import { SocketCounter } from "./sockets.ts";

let server: Server;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listen(
  limits: Partial<Parameters<typeof limitConnections>[1]>,
  options: object = {},
  answer: RequestListener = (request, response) => request.resume().on("end", () => response.end("thanks")),
): Promise<string> {
  server = createServer({ ...serverOptions, ...options });
  limitConnections(server, { isProxy: () => false, ...limits });
  server.on("request", answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const impatient = { bodyTimeoutMs: 200, minBodyBytesPerSecond: 1_000_000, bodyCheckMs: 20 };

test("ends a slow body", async () => {
  const connection = await openRaw(await listen(impatient));
  connection.send(requestHead("POST", "/", { "content-length": "1000" }));
  const dripping = setInterval(() => connection.send("x"), 50);
  expect(await connection.everything()).not.toContain("thanks");
  clearInterval(dripping);
});

test("ends a body that stops arriving, however large, also without a length", async () => {
  const url = await listen(impatient);
  const idle = await openRaw(url);
  idle.send(requestHead("POST", "/", { "content-length": String(32 * megabyte) }));
  const stalled = await openRaw(url);
  stalled.send(requestHead("POST", "/", { "transfer-encoding": "chunked" }));
  stalled.sendChunk("x".repeat(70 * kilobyte));
  expect([await idle.everything(), await stalled.everything()]).toEqual(["", ""]);
});

test("gives a large body time for a slow line", async () => {
  const connection = await openRaw(await listen({ bodyTimeoutMs: 1, minBodyBytesPerSecond: 1, bodyCheckMs: 10 }));
  connection.send(requestHead("POST", "/", { "content-length": "60", connection: "close" }));
  for (let i = 0; i < 6; i++) {
    connection.send("x".repeat(10));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(await connection.status()).toBe(200);
});

test("keeps a body that waits to be read, and a request whose body has arrived", async () => {
  const waiting: IncomingMessage[] = [];
  const url = await listen(impatient, {}, (request, response) => {
    request.once("end", () => response.end("thanks"));
    if (request.url === "/idle") request.resume();
    else waiting.push(request);
  });
  const [unread, arrived] = [await openRaw(url), await openRaw(url)];
  const body = "x".repeat(megabyte);
  unread.send(requestHead("POST", "/", { "content-length": String(body.length), connection: "close" }) + body);
  arrived.send(requestHead("POST", "/", { "content-length": "0", connection: "close" }));
  await expect.poll(() => waiting.map(({ readableLength, complete }) => readableLength > 0 || complete)).toEqual([true, true]);
  // Three later ones are ended, one after the other.
  for (let i = 0; i < 3; i++) {
    const idle = await openRaw(url);
    idle.send(requestHead("POST", "/idle", { "content-length": "1" }));
    expect(await idle.everything()).toBe("");
  }
  expect(waiting.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  for (const request of waiting) request.resume();
  expect([await unread.status(), await arrived.status()]).toEqual([200, 200]);
});

test("ends slow headers", async () => {
  const connection = await openRaw(await listen({}, { headersTimeout: 200, connectionsCheckingInterval: 50 }));
  connection.send("GET / HTTP/1.1\r\nhost: localhost\r\n");
  expect(await connection.status()).toBe(408);
});

test("refuses headers beyond 16 kB", async () => {
  const connection = await openRaw(await listen({}));
  connection.send(requestHead("GET", "/", { "x-long": "a".repeat(20_000) }));
  expect(await connection.status()).toBe(431);
});

test("limits connections by network, except for proxies", async () => {
  const url = await listen({ factor: 0.003 });
  const opened = await Promise.all([openRaw(url), openRaw(url), openRaw(url)]);
  const surplus = await openRaw(url);
  expect(await surplus.everything()).toBe("");
  opened[0]?.send(requestHead("GET", "/", { connection: "close" }));
  expect(await opened[0]?.status()).toBe(200);
  for (const each of opened) each.close();
  server.close();

  const behind = await listen({ factor: 0, isProxy: () => true });
  const proxied = await openRaw(behind);
  proxied.send(requestHead("GET", "/", { connection: "close" }));
  expect(await proxied.status()).toBe(200);
});

function connect(remoteAddress: string): Duplex {
  const connection = Object.assign(new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }), { remoteAddress });
  server.emit("connection", connection);
  return connection;
}

test("addresses of one IPv6 network share its connections", async () => {
  await listen({ factor: 0.002 });
  const opened = ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1"].map(connect);
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([false, false, true, false]);
  for (const each of opened) each.destroy();
});

test("the networks of one IPv6 line together have four times the connections of one", async () => {
  await listen({ factor: 0.001 });
  const opened = [1, 2, 3, 4, 5].map((network) => connect(`2001:db8:0:${network}::1`));
  opened.push(connect("2001:db8:0:100::1"));
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false, true, false]);
  for (const each of opened) each.destroy();
});

test("the lines of one IPv6 /48 together have eight times the connections of one network", async () => {
  await listen({ factor: 0.001 });
  const opened = Array.from({ length: 9 }, (_, line) => connect(`2001:db8:0:${line}00::1`));
  opened.push(connect("2001:db8:1::1"));
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([...Array(8).fill(false), true, false]);
  for (const each of opened) each.destroy();
});

test("both kinds of sockets share one counter", () => {
  const counter = new SocketCounter({ perNetwork: 3, anonymousApiPerNetwork: 1, perAccount: 2, total: 5 });
  const enter = (address: string) => {
    const slot = counter.enter(address);
    return typeof slot === "number" ? { status: slot } : slot;
  };
  /** Sends an API request without a session. */
  const countAnonymous = (address: string) => {
    const slot = enter(address);
    return { slot, isCounted: "countAnonymous" in slot && slot.countAnonymous() };
  };
  const { slot: first, isCounted } = countAnonymous("203.0.113.5");
  expect(isCounted).toBe(true);
  expect(countAnonymous("203.0.113.5").isCounted).toBe(false);
  expect(enter("203.0.113.5")).not.toHaveProperty("status");
  expect(enter("203.0.113.5")).toEqual({ status: 429 });
  // Addresses of one IPv6 network count together.
  expect(countAnonymous("2001:db8::1").isCounted).toBe(true);
  const second = countAnonymous("2001:db8::2");
  expect(second.isCounted).toBe(false);
  if ("release" in second.slot) second.slot.release();
  const others = [enter("198.51.100.1")];
  expect(enter("198.51.100.2")).toEqual({ status: 503 });
  if ("release" in first) first.release();
  others.push(enter("198.51.100.2"));
  const accounts = others.map((slot) => ("assignAccount" in slot ? slot.assignAccount("maren") : undefined));
  expect(accounts).toEqual([true, true]);
  const third = enter("203.0.113.5");
  expect(third).toEqual({ status: 503 });
});
