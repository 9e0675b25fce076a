import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { setFollow } from "#domain/follows/follows.server.ts";
import type { LiveAnswer, LiveEvent, LiveRequest } from "#domain/live.ts";
import { setMuted } from "#domain/messages/consent.server.ts";
import { unreadCount } from "#domain/messages/conversations.server.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { markConversationRead } from "#domain/messages/reading.server.ts";
import type { Events } from "#platform/events/events.ts";
import { SocketCounter } from "#server/limits/sockets.ts";
import { publish as publishEvents } from "../../tests/support/publish.ts";
import { watchQueries } from "../../tests/support/queries.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";
import { type LiveEndpoint, type LiveLimits, openLive } from "./live.ts";

let world: World;
let routes: LiveEndpoint;
let server: Server;
let tabs: Tab[];
beforeEach(async () => {
  world = await openWorld();
  tabs = [];
  await open();
});
afterEach(async () => {
  await shut();
  await world.close();
});

async function open(limits?: Partial<LiveLimits>, site = world.site) {
  routes = openLive(site, limits);
  server = createServer().on("upgrade", routes.upgrade).listen(0, "127.0.0.1");
  await once(server, "listening");
}

async function shut() {
  routes.close();
  for (const tab of tabs) tab.socket.terminate();
  server.close();
  await once(server, "close");
}

async function reopen(limits: Partial<LiveLimits> & { counter?: SocketCounter }) {
  await shut();
  tabs = [];
  await open(limits);
}

type Tab = { socket: WebSocket; heard: LiveAnswer[]; say(request: LiveRequest): void; events(): LiveEvent[]; closed: Promise<number> };

/** A browser's tab; with `headers` of another kind, someone who pretends to be one. */
async function connect(headers: Record<string, string> = {}, path = "/live"): Promise<Tab> {
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: { origin: "http://inkstead.test", ...headers } });
  const heard: LiveAnswer[] = [];
  socket.on("message", (data) => heard.push(JSON.parse(String(data)) as LiveAnswer));
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  const tab: Tab = {
    socket,
    heard,
    closed,
    say: (request) => socket.send(JSON.stringify(request)),
    events: () => heard.flatMap((answer) => ("event" in answer ? [answer.event] : [])),
  };
  await once(socket, "open");
  tabs.push(tab);
  return tab;
}

const cookieOf = async (person: "maren" | "tobias" | "ruth" | "salma") => ({ cookie: (await signIn(world, world[person])).cookie });
const publish = (topic: string, ...types: string[]) => publishEvents(world.site, ...types.map((type) => ({ topic, type })));
const connections = () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
const types = (tab: Tab) => tab.events().map(({ type }) => type);

describe("the handler", () => {
  test.each([
    ["no origin", { origin: "" }, "/live", 403],
    ["another origin", { origin: "http://elsewhere.test" }, "/live", 403],
    ["an origin that only begins alike", { origin: "http://inkstead.test.evil" }, "/live", 403],
    ["what is no origin", { origin: "null" }, "/live", 403],
    ["another path", {}, "/other", 404],
  ])("is shut to %s", async (_what, headers, path, status) => {
    await expect(connect(headers, path)).rejects.toThrow(`Unexpected server response: ${status}`);
  });

  test("believes no page that names itself in the Host header", async () => {
    await expect(connect({ origin: "https://127.0.0.1:9", host: "127.0.0.1:9" })).rejects.toThrow("403");
  });

  test("lets in only so many from one address, and others besides", async () => {
    await reopen({ counter: new SocketCounter({ perNetwork: 2 }) });
    const first = await connect();
    await connect();
    await expect(connect()).rejects.toThrow("429");
    await connect({ "x-forwarded-for": "10.0.0.7" });
    first.socket.close();
    await first.closed;
    await expect.poll(async () => (await connect()).socket.readyState).toBe(WebSocket.OPEN);
  });

  test("lets in only so many in all", async () => {
    await reopen({ counter: new SocketCounter({ inAll: 1 }) });
    await connect();
    await expect(connect({ "x-forwarded-for": "10.0.0.7" })).rejects.toThrow("503");
  });

  test("hangs up on everybody when the server ends", async () => {
    const tab = await connect();
    routes.close();
    expect(await tab.closed).toBe(1001);
    await expect(connect()).rejects.toThrow("503");
  });

  test.each([
    "nonsense",
    "{}",
    "[]",
    '{"subscribe":[]}',
    '{"subscribe":"posts"}',
    '{"subscribe":["posts"],"after":7}',
    '{"publish":["posts"]}',
  ])("closes on what it does not understand: %s", async (text) => {
    const tab = await connect();
    tab.socket.send(text);
    expect(await tab.closed).toBe(1008);
  });

  test("closes on messages that are too long, binary, or too many", async () => {
    const [long, binary, many] = [await connect(), await connect(), await connect()];
    long.socket.send("x".repeat(50_000));
    expect(await long.closed).toBe(1009);
    binary.socket.send(Buffer.from('{"subscribe":["posts"]}'));
    expect(await binary.closed).toBe(1008);
    for (let i = 0; i < 200; i++) many.say({ subscribe: [`post:${i}`] });
    expect(await many.closed).toBe(1008);
  });
});

describe("a topic", () => {
  test("is heard by who may, and nothing of it by who may not", async () => {
    const passed: string[] = [];
    world.site.events.subscribe("posts", ({ type }) => passed.push(type));
    await sendMessage(world.site, world.maren, { to: world.tobias.id, text: "Still up?", sendId: "1" });
    await publish("posts", "before");
    await expect.poll(() => passed).toEqual(["before"]);
    const topic = `user:${world.tobias.id}`;
    const [partner, admin, visitor] = [await connect(await cookieOf("tobias")), await connect(await cookieOf("ruth")), await connect()];
    for (const tab of [partner, admin, visitor]) {
      tab.say({ subscribe: [topic, "posts"] });
      await expect.poll(() => tab.heard.length).toBe(tab === partner ? 1 : 2);
    }
    expect(partner.heard).toMatchObject([{ subscribed: [topic, "posts"] }]);
    for (const tab of [admin, visitor]) expect(tab.heard).toMatchObject([{ subscribed: ["posts"] }, { refused: [topic] }]);
    await sendMessage(world.site, world.maren, { to: world.tobias.id, text: "Good night then", sendId: "2" });
    await publish("posts", "something");
    for (const tab of [partner, admin, visitor]) await expect.poll(() => types(tab)).toContain("something");
    expect(types(partner)).toEqual(["message.created", "something"]);
    expect([types(admin), types(visitor)]).toEqual([["something"], ["something"]]);
  });

  test("is not heard any more once it is left", async () => {
    const tab = await connect();
    tab.say({ subscribe: ["posts"] });
    tab.say({ unsubscribe: ["posts"] });
    tab.say({ subscribe: [`profile:${world.maren.id}`] });
    await expect.poll(() => tab.heard.length).toBe(2);
    await publish("posts", "one");
    await publish(`profile:${world.maren.id}`, "two");
    await expect.poll(() => types(tab)).toEqual(["two"]);
  });

  test("is one of so many", async () => {
    await reopen({ topics: 2 });
    const tab = await connect();
    const profiles = [world.maren, world.tobias, world.ruth].map(({ id }) => `profile:${id}`);
    tab.say({ subscribe: profiles });
    await expect.poll(() => tab.heard).toMatchObject([{ subscribed: profiles.slice(0, 2) }, { refused: profiles.slice(2) }]);
  });
});

describe("who asks much", () => {
  const topics = (round: number) => Array.from({ length: 48 }, (_each, number) => `post:${round}-${number}`);

  test("makes a query for all topics of a kind, and none for those that are heard already", async () => {
    await shut();
    tabs = [];
    const { site, queries } = watchQueries(world.site);
    await open({}, site);
    const tab = await connect(await cookieOf("maren"));
    const profiles = [world.maren, world.tobias, world.ruth].map(({ id }) => `profile:${id}`);
    queries.length = 0;
    tab.say({ subscribe: [...profiles, "posts", `user:${world.maren.id}`, ...topics(1).slice(0, 30)] });
    await expect.poll(() => tab.heard.length).toBe(2);
    expect(queries).toHaveLength(2);
    for (let i = 0; i < 20; i++) {
      tab.say({ subscribe: [...profiles, "posts"] });
      await expect.poll(() => tab.heard.length).toBe(3 + i);
    }
    expect(queries).toHaveLength(2);
  });

  test("is ended within a minute's work, by how much has to be looked up", async () => {
    await shut();
    tabs = [];
    const { site, queries } = watchQueries(world.site);
    await open({}, site);
    const tab = await connect();
    for (let round = 1; tab.socket.readyState === WebSocket.OPEN; round++) {
      tab.say({ subscribe: topics(round) });
      await expect.poll(() => tab.heard.length >= round || tab.socket.readyState !== WebSocket.OPEN).toBe(true);
    }
    expect(await tab.closed).toBe(1013);
    expect(queries.length).toBeLessThan(20);
  });

  test("is ended for short requests as well", async () => {
    const tab = await connect();
    while (tab.socket.readyState === WebSocket.OPEN) {
      tab.say({ unsubscribe: ["posts"] });
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(await tab.closed).toBeGreaterThanOrEqual(1008);
  });

  test("goes on with all that it heard once it is back", async () => {
    await reopen({ unitsPerMinute: { visitor: 200, member: 200 } });
    const tab = await connect();
    tab.say({ subscribe: topics(1) });
    await expect.poll(() => tab.heard.length).toBe(1);
    tab.say({ subscribe: topics(2) });
    expect(await tab.closed).toBe(1013);
    const again = await connect();
    again.say({ subscribe: ["posts", ...topics(1)] });
    await expect.poll(() => again.heard[0]).toMatchObject({ subscribed: ["posts"] });
  });
});

describe("who was away", () => {
  test("hears what was missed and then goes on, each event once and in order", async () => {
    const first = await connect();
    first.say({ subscribe: ["posts"] });
    await expect.poll(() => first.heard.length).toBe(1);
    await publish("posts", "1");
    await expect.poll(() => types(first)).toEqual(["1"]);
    first.socket.terminate();
    await publish("posts", "2", "3");
    const after = first.events()[0]?.cursor ?? "";
    const second = await connect();
    const busy = Promise.all(Array.from({ length: 30 }, (_, i) => publish("posts", `b${i}`)));
    second.say({ subscribe: ["posts"], after });
    await busy;
    await publish("posts", "last");
    await expect.poll(() => types(second).at(-1)).toBe("last");
    expect(second.heard[0]).toEqual({ subscribed: ["posts"], cursor: after });
    expect(types(second).slice(0, 2)).toEqual(["2", "3"]);
    expect(types(second)).toHaveLength(33);
    expect(new Set(types(second)).size).toBe(33);
    expect(second.events()).toEqual(await world.site.events.readAfter(after, ["posts"]));
  });

  test("is told to load anew when what was missed is gone, and goes on", async () => {
    const tab = await connect();
    tab.say({ subscribe: ["posts"], after: "made up" });
    await expect.poll(() => types(tab)).toEqual(["gap"]);
    await publish("posts", "one");
    await expect.poll(() => types(tab)).toEqual(["gap", "one"]);
  });

  test("is not sent again what another process has sent already", async () => {
    const start = world.site.events.latest();
    await publish("posts", "one", "two");
    const read = async () => (await world.site.events.readAfter(start, ["posts"])) as LiveEvent[];
    await expect.poll(async () => (await read()).length).toBe(2);
    const had = await read();
    const replayed = new Set<(event: LiveEvent) => void>();
    const subscribe: Events["subscribe"] = (topic, listener) => {
      replayed.add(listener);
      return world.site.events.subscribe(topic, listener);
    };
    await shut();
    tabs = [];
    await open({}, { ...world.site, events: { ...world.site.events, subscribe } });
    const tab = await connect();
    tab.say({ subscribe: ["posts"], after: had[1]?.cursor ?? "" });
    await expect.poll(() => replayed.size).toBe(1);
    for (const listener of replayed) for (const event of had) listener(event);
    await publish("posts", "three");
    await expect.poll(() => types(tab)).toEqual(["three"]);
  });
});

describe("a connection", () => {
  test("ends with 1008 when its session is revoked", async () => {
    await reopen({ ping: 1_000 });
    const tab = await connect(await cookieOf("maren"));
    const other = await connect(await cookieOf("tobias"));
    await world.site.db.deleteFrom("sessions").where("userId", "=", world.maren.id).execute();
    expect(await tab.closed).toBe(1008);
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
  });

  test("stops hearing of a story that was taken back", async () => {
    await reopen({ ping: 1_000 });
    const post = {
      id: "a",
      status: "active" as const,
      userId: world.maren.id,
      userName: "",
      title: "a",
      content: "",
      markdown: "",
      summary: "",
    };
    const rest = {
      plainText: "",
      words: 0,
      featuredImage: null,
      featured: false,
      pinned: false,
      views: 0,
      likesCount: 0,
      bookmarksCount: 0,
    };
    await world.site.db
      .insertInto("posts")
      .values({ ...post, ...rest, createdAt: 1, updatedAt: 1 })
      .execute();
    const tab = await connect();
    tab.say({ subscribe: ["post:a"] });
    await expect.poll(() => tab.heard).toMatchObject([{ subscribed: ["post:a"] }]);
    await world.site.db.updateTable("posts").set({ status: "inactive" }).execute();
    await expect.poll(() => tab.heard).toMatchObject([{ subscribed: ["post:a"] }, { refused: ["post:a"] }]);
  });

  test("that answers no ping is cut", async () => {
    await reopen({ ping: 1_000 });
    const tab = await connect();
    tab.socket.pause();
    await expect.poll(connections).toBe(0);
    tab.socket.resume();
    expect(await tab.closed).toBe(1006);
  });

  test("that reads slower than things happen is cut, and the others go on", async () => {
    await reopen({ buffered: 500_000 });
    const [slow, quick] = [await connect(), await connect()];
    for (const tab of [slow, quick]) {
      tab.say({ subscribe: ["posts"] });
      await expect.poll(() => tab.heard.length).toBe(1);
    }
    slow.socket.pause();
    const data = { text: "x".repeat(200_000) };
    for (let i = 1; i <= 60; i++) {
      await publishEvents(world.site, { topic: "posts", type: `${i}`, data });
      await expect.poll(() => types(quick).length, { interval: 5 }).toBe(i);
    }
    await expect.poll(connections).toBe(1);
  });
});

test("how many messages are unread comes with what changes it, muted conversations left out", async () => {
  const { site, maren, tobias } = world;
  const tab = await connect(await cookieOf("tobias"));
  tab.say({ subscribe: [`user:${tobias.id}`] });
  await expect.poll(() => tab.heard.length).toBe(1);
  const unread = () =>
    tab.heard.flatMap((answer) => ("broadcast" in answer && answer.broadcast.type === "unread" ? [answer.broadcast.data.unread] : []));
  const send = (sendId: string) => sendMessage(site, maren, { to: tobias.id, text: "Awake?", sendId });
  const before = await unreadCount(site, tobias);
  await send("unread-1");
  await expect.poll(() => unread().at(-1)).toBe(before + 1);
  await send("unread-2");
  await expect.poll(() => unread().at(-1)).toBe(before + 2);
  await setMuted(site, tobias, maren.id, true);
  await expect.poll(() => unread().at(-1)).toBe(0);
  await setMuted(site, tobias, maren.id, false);
  await expect.poll(() => unread().at(-1)).toBe(before + 2);
  await markConversationRead(site, tobias, maren.id);
  await expect.poll(() => unread().at(-1)).toBe(0);
  await setFollow(site, tobias, { userId: maren.id, following: true });
  await expect.poll(() => types(tab)).toContain("follow.changed");
  expect(unread().length).toBeLessThanOrEqual(5);
});
