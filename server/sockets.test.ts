import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Site } from "#domain/site.ts";
import { openRaw, requestHead } from "../tests/fuzz/raw-http.ts";
import { openWorld, signIn, type World } from "../tests/support/world.ts";
import { createRequestLimiter } from "./limits/request-limiter.ts";
import { SocketCounter } from "./limits/sockets.ts";
import { socketLimits } from "./limits/table.ts";
import { openLive } from "./live/live.ts";
import { openSockets } from "./sockets.ts";
import { openRealtime } from "./v1/realtime/realtime.ts";

const endpoints = ["/live", "/v1/realtime?project=inkstead"];
const upgrade = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

let world: World;
let server: Server;
let url: string;
let cleanUps: (() => void)[];
beforeEach(async () => {
  world = await openWorld();
  cleanUps = [];
});
afterEach(async () => {
  for (const cleanUp of cleanUps) cleanUp();
  server.close();
  server.closeAllConnections();
  await world.close();
});

async function listen({ site = world.site, counter = new SocketCounter(), limitFactor = 1 } = {}): Promise<void> {
  // The clock stands still, so that nothing is refilled.
  const limiter = createRequestLimiter({ now: () => 0, limitFactor, hasCredentials: () => false });
  const sockets = openSockets(site, { counter, countUpgrade: limiter.countUpgrade, endpoints: [openLive(site), openRealtime(site)] });
  server = createServer().on("upgrade", sockets.upgrade).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  cleanUps.push(() => sockets.close());
}

async function open(path: string, headers: Record<string, string> = {}): Promise<WebSocket> {
  const socket = new WebSocket(url.replace("http", "ws") + path, { headers: { origin: "http://inkstead.test", ...headers } });
  cleanUps.push(() => socket.terminate());
  await once(socket, "open");
  return socket;
}

async function openAndClose(path: string): Promise<void> {
  const socket = await open(path);
  socket.terminate();
  await once(socket, "close");
}

describe.each(endpoints)("upgrades to %s", (path) => {
  test("are refused beyond a network's rate, before anything is looked up", async () => {
    await listen({ limitFactor: 0.01 });
    for (let count = 0; count < 6; count++) await openAndClose(path);
    await expect(open(path)).rejects.toThrow("429");
    await expect(open(path, { "x-appwrite-key": "ink_invented" })).rejects.toThrow("429");
    expect((await open(path, { "x-forwarded-for": "10.9.9.9" })).readyState).toBe(WebSocket.OPEN);
  });
});

test("all tabs of a busy network may reconnect again and again", async () => {
  await listen();
  const tabs = () => Promise.all(Array.from({ length: socketLimits.perNetwork }, () => openAndClose("/live")));
  for (let restart = 0; restart < 3; restart++) await tabs();
  await expect(open("/live")).rejects.toThrow("429");
});

test.each([
  ["//", 404],
  ["//live", 404],
  ["http://", 404],
  ["/live%", 404],
  ["/", 404],
  [`/v1/realtime?${"a=1&".repeat(3_500)}`, 414],
])("an upgrade of another address is refused without a fault: %.20s", async (path, status) => {
  const faults: unknown[] = [];
  const log = { ...world.site.log, error: (fault: unknown) => faults.push(fault) } as unknown as Site["log"];
  await listen({ site: { ...world.site, log } });
  const connection = await openRaw(url);
  connection.send(requestHead("GET", path, upgrade));
  expect(await connection.status()).toBe(status);
  connection.close();
  expect(faults).toEqual([]);
});

/** The site with queries that wait. */
function withHeldQueries(site: Site) {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  let count = 0;
  const db = site.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      count++;
      await promise;
      return result;
    },
  }) as Site["db"];
  return { site: { ...site, db }, release, count: () => count };
}

test.each([
  ["/live", async () => ({ cookie: (await signIn(world, world.maren)).cookie })],
  ["/v1/realtime?project=inkstead", async () => ({ "x-appwrite-key": "ink_invented" })],
])("one that is aborted during its look-up takes no place: %s", async (path, credentials) => {
  const headers = { origin: "http://inkstead.test", ...(await credentials()) };
  const held = withHeldQueries(world.site);
  const counter = new SocketCounter({ perAccount: 1, anonymousApiPerNetwork: 1 });
  await listen({ site: held.site, counter });
  const aborted = await openRaw(url);
  aborted.send(requestHead("GET", path, { ...upgrade, ...headers }));
  await expect.poll(held.count).toBeGreaterThan(0);
  aborted.socket.resetAndDestroy();
  await expect.poll(() => counter.open).toBe(0);
  held.release();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await open(path, headers)).readyState).toBe(WebSocket.OPEN);
});
