import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { dropSlowReaders } from "./slow-readers.ts";

const timeoutMs = 1_500;
const size = 30_000_000;
const chunk = Buffer.alloc(100_000);
const server = createServer(({ url }, response) => {
  if (url === "/stream") Readable.from(Array.from({ length: size / chunk.length }, () => chunk)).pipe(response);
  else if (url === "/events") response.write("one");
  else response.end(Buffer.alloc(size));
});
dropSlowReaders(server, timeoutMs);
const responses: ServerResponse[] = [];
server.on("request", (_request, response) => responses.push(response));

let socket: Socket;
beforeEach(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
});
afterEach(async () => {
  socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const countConnections = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

const request = (path: string) => void socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);

describe.each([
  ["complete", "/"],
  ["streamed", "/stream"],
])("a reader of a %s response", (_what, path) => {
  beforeEach(() => request(path));

  test("who stops reading is disconnected", async () => {
    socket.pause();
    await expect.poll(countConnections).toBe(1);
    await expect.poll(countConnections, { timeout: 20_000 }).toBe(0);
  });

  test("who reads slowly gets all of it", async () => {
    let received = 0;
    while (received < size) {
      const chunk: Buffer | null = socket.read(2_000_000) ?? socket.read();
      received += chunk?.length ?? 0;
      await wait(50);
    }
    expect(received).toBeGreaterThanOrEqual(size);
  });

  test("may send another request later than that", async () => {
    socket.resume();
    await expect.poll(() => socket.bytesRead).toBeGreaterThan(size);
    await wait(1.2 * timeoutMs);
    expect(await countConnections()).toBe(1);
  });
});

test("a stream that has nothing to send for longer stays open", async () => {
  request("/events");
  socket.resume();
  await expect.poll(() => socket.bytesRead).toBeGreaterThan(0);
  await wait(1.2 * timeoutMs);
  expect(await countConnections()).toBe(1);
  socket.pause();
  responses.at(-1)?.end(Buffer.alloc(size));
  await expect.poll(countConnections, { timeout: 20_000 }).toBe(0);
});

test("an idle connection is closed after Node's limit", async () => {
  const { keepAliveTimeout } = server;
  server.keepAliveTimeout = 100;
  request("/stream");
  socket.resume();
  await expect.poll(countConnections, { timeout: 20_000 }).toBe(0);
  expect(socket.bytesRead).toBeGreaterThan(size);
  server.keepAliveTimeout = keepAliveTimeout;
});

test("an upgraded socket has no time limit", async () => {
  request("/stream");
  socket.resume();
  await expect.poll(() => socket.bytesRead).toBeGreaterThan(size);
  server.once("upgrade", (_request, upgraded) =>
    new WebSocketServer({ noServer: true }).handleUpgrade(_request, upgraded, Buffer.alloc(0), () => {}),
  );
  const headers = [
    "Host: x",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  socket.write(`GET /live HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`);
  await wait(1.2 * timeoutMs);
  expect(await countConnections()).toBe(1);
});
