import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { SocketCounter } from "#server/limits/sockets.ts";
import { LiveServer } from "../../tests/support/browsers/live-server.ts";
import { watchQueries } from "../../tests/support/queries.ts";
import type { World } from "../../tests/support/world.ts";

let live: LiveServer;
let world: World;
beforeEach(async () => {
  live = await LiveServer.open();
  world = live.world;
});
afterEach(() => live.close());

describe("the handler", () => {
  test.each([
    ["no origin", ""],
    ["another origin", "http://elsewhere.test"],
    ["an origin with the same beginning", "http://inkstead.test.evil"],
    ["an opaque origin", "null"],
  ])("refuses %s", async (_what, origin) => {
    await expect(live.connect({ origin })).rejects.toThrow("Unexpected server response: 403");
  });

  test("does not trust the Host header", async () => {
    await expect(live.connect({ origin: "https://127.0.0.1:9", host: "127.0.0.1:9" })).rejects.toThrow("403");
  });

  test("limits connections per address", async () => {
    await live.reopen({ counter: new SocketCounter({ perNetwork: 2 }) });
    const first = await live.connect();
    await live.connect();
    await expect(live.connect()).rejects.toThrow("429");
    await live.connect({ "x-forwarded-for": "10.0.0.7" });
    first.socket.close();
    await first.closed;
    await expect.poll(async () => (await live.connect()).socket.readyState).toBe(WebSocket.OPEN);
  });

  test("limits all connections", async () => {
    await live.reopen({ counter: new SocketCounter({ total: 1 }) });
    await live.connect();
    await expect(live.connect({ "x-forwarded-for": "10.0.0.7" })).rejects.toThrow("503");
  });

  test("closes all connections when the server stops", async () => {
    const tab = await live.connect();
    live.routes.close();
    expect(await tab.closed).toBe(1001);
    await expect(live.connect()).rejects.toThrow("503");
  });

  test.each([
    "nonsense",
    "{}",
    "[]",
    '{"subscribe":[]}',
    '{"subscribe":"posts"}',
    '{"subscribe":["posts"],"after":7}',
    '{"publish":["posts"]}',
  ])("closes on an invalid request: %s", async (text) => {
    const tab = await live.connect();
    tab.socket.send(text);
    expect(await tab.closed).toBe(1008);
  });

  test("closes on long, binary and too many requests", async () => {
    const [long, binary, many] = [await live.connect(), await live.connect(), await live.connect()];
    long.socket.send("x".repeat(50_000));
    expect(await long.closed).toBe(1009);
    binary.socket.send(Buffer.from('{"subscribe":["posts"]}'));
    expect(await binary.closed).toBe(1008);
    for (let i = 0; i < 200; i++) many.say({ subscribe: [`post:${i}`] });
    expect(await many.closed).toBe(1013);
  });
});

describe("a client with many requests", () => {
  const topics = (round: number) => Array.from({ length: 48 }, (_each, number) => `post:${round}-${number}`);

  test("costs one query per kind of topic, and none for subscribed topics", async () => {
    const { site, queries } = watchQueries(world.site);
    await live.reopen({}, site);
    const tab = await live.connect(await live.cookieOf("maren"));
    const profiles = [world.maren, world.tobias, world.ruth].map(({ id }) => `profile:${id}`);
    queries.length = 0;
    tab.say({ subscribe: [...profiles, "posts", `user:${world.maren.id}`, ...topics(1).slice(0, 30)] });
    await expect.poll(() => tab.received.length).toBe(2);
    expect(queries).toHaveLength(2);
    for (let i = 0; i < 20; i++) {
      tab.say({ subscribe: [...profiles, "posts"] });
      await expect.poll(() => tab.received.length).toBe(3 + i);
    }
    expect(queries).toHaveLength(2);
  });

  test("is closed at its minute's budget of lookups", async () => {
    const { site, queries } = watchQueries(world.site);
    await live.reopen({}, site);
    const tab = await live.connect();
    for (let round = 1; tab.socket.readyState === WebSocket.OPEN; round++) {
      tab.say({ subscribe: topics(round) });
      await expect.poll(() => tab.received.length >= round || tab.socket.readyState !== WebSocket.OPEN).toBe(true);
    }
    expect(await tab.closed).toBe(1013);
    expect(queries.length).toBeLessThan(20);
  });

  test("is closed for many short requests", async () => {
    const tab = await live.connect();
    while (tab.socket.readyState === WebSocket.OPEN) {
      tab.say({ unsubscribe: ["posts"] });
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(await tab.closed).toBe(1013);
  });

  test("can subscribe to everything again after reconnecting", async () => {
    await live.reopen({ unitsPerMinute: { visitor: 200, member: 200 } });
    const tab = await live.connect();
    tab.say({ subscribe: topics(1) });
    await expect.poll(() => tab.received.length).toBe(1);
    tab.say({ subscribe: topics(2) });
    expect(await tab.closed).toBe(1013);
    const again = await live.connect();
    again.say({ subscribe: ["posts", ...topics(1)] });
    await expect.poll(() => again.received[0]).toMatchObject({ subscribed: ["posts"] });
  });
});
