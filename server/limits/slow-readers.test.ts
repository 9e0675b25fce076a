import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dropSlowReaders } from "./slow-readers.ts";

const timeoutMs = 1_500;
const size = 30_000_000;
const server = createServer((_request, response) => void response.end(Buffer.alloc(size)));
dropSlowReaders(server, timeoutMs);

let socket: Socket;
beforeEach(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
});
afterEach(async () => {
  socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const countConnections = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

describe("a reader of a complete response", () => {
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
