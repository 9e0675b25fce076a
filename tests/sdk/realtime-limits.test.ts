import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WebSocket as Socket } from "ws";
import { createApiKeyFor } from "#domain/accounts/api-keys/api-keys.server.ts";
import { createPost } from "#domain/posts/posts.server.ts";
import type { Member } from "#domain/site.ts";
import { Hub } from "#server/v1/realtime/hub.ts";
import { picture } from "../support/pictures.ts";
import { ids, type OpenApi, openApi, stubBrowser, webSdks } from "./api.ts";

let api: OpenApi;
let cleanups: (() => void)[];
beforeEach(async () => {
  cleanups = [];
  api = await openApi();
});
afterEach(async () => {
  for (const end of cleanups) end();
  await api.close();
  vi.restoreAllMocks();
});

type Frame = {
  type: string;
  data?: { code?: number; message?: string; channels?: string[]; subscriptions?: { subscriptionId: string }[] };
};

/** A bare socket. */
async function open(channels: string[] = [], who?: Member) {
  const query = new URLSearchParams([["project", ids.project], ...channels.map((channel) => ["channels[]", channel])]);
  const cookie = who && `a_session_${ids.project}=${await api.signIn(who)}`;
  const socket = new Socket(`${api.endpoint.replace("http", "ws")}/realtime?${query}`, { headers: { ...(cookie && { cookie }) } });
  const frames: Frame[] = [];
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  socket.on("message", (data) => frames.push(JSON.parse(String(data)) as Frame));
  cleanups.push(() => socket.terminate());
  await expect.poll(() => frames.length).toBeGreaterThan(0);
  const say = (frame: object) => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  const errors = () => frames.filter(({ type }) => type === "error").map(({ data }) => data);
  return { socket, frames, closed, say, errors };
}

const subscribe = (data: { subscriptionId: string; channels: string[]; queries?: string[] }[]) => ({ type: "subscribe", data });
const posts = "databases.main.collections.posts.documents";
const post = (number: number) => `${posts}.story-${number}`;
const range = (count: number) => Array.from({ length: count }, (_each, index) => index);

describe("channels", () => {
  test.each([
    "x",
    "documents.1",
    "documents.create.create",
    "databases.other.collections.posts.documents",
    "databases.main.collections.nothing.documents",
    "databases.main.collections.posts.documents.",
    "databases.main.collections.posts.documents._a",
    `databases.main.collections.posts.documents.${"a".repeat(37)}`,
    "databases.*.collections.posts.documents",
    "buckets.other.files",
    "teams",
    "constructor",
    "__proto__",
    "",
    "x".repeat(200),
  ])("that don't exist are refused: %s", async (channel) => {
    const tab = await open();
    tab.say(
      subscribe([
        { subscriptionId: "bad", channels: [channel] },
        { subscriptionId: "good", channels: ["documents"] },
      ]),
    );
    await expect.poll(tab.errors).toEqual([{ code: 1003, message: `Invalid channel: ${channel.slice(0, 100)}` }]);
    expect(tab.frames.filter(({ type }) => type === "response").map(({ data }) => data?.subscriptions)).toEqual([
      [expect.objectContaining({ subscriptionId: "good" })],
    ]);
  });

  test.each([
    "documents",
    "rows.create",
    "account",
    "account.update",
    "files.delete",
    posts,
    `${posts}.create`,
    `${posts}.a.b-c_d.update`,
    "databases.main.tables.likes.rows.upsert",
    "tablesdb.main.tables.messages.rows.a",
    "buckets.files.files.a",
  ])("that exist are accepted: %s", async (channel) => {
    const tab = await open();
    tab.say(subscribe([{ subscriptionId: "good", channels: [channel] }]));
    await expect.poll(() => tab.frames.length).toBe(2);
    expect(tab.frames[1]).toMatchObject({ type: "response", data: { success: true } });
  });

  test("in the address are subscribed without unknown ones", async () => {
    const tab = await open(["documents", "teams", "account.somebody"]);
    expect(tab.frames[0]).toMatchObject({ type: "connected", data: { channels: ["documents"] } });
    await expect.poll(tab.errors).toEqual([{ code: 1003, message: "Invalid channel: teams" }]);
  });

  test("are limited to 25 for visitors and 100 for members, also after signing in", async () => {
    const names = range(101).map(post);
    const visitor = await open(names.slice(0, 40));
    expect(visitor.frames[0]?.data?.channels).toHaveLength(25);
    await expect.poll(visitor.errors).toEqual([{ code: 1003, message: "Too many channels: at most 25." }]);
    visitor.say({ type: "authentication", data: { session: await api.signIn(api.world.maren) } });
    await expect.poll(() => visitor.frames.at(-1)?.type).toBe("response");
    visitor.say(subscribe([{ subscriptionId: "more", channels: names.slice(40, 100) }]));
    await expect.poll(() => visitor.frames.at(-1)?.data?.subscriptions).toHaveLength(1);
    visitor.say(subscribe([{ subscriptionId: "one", channels: names.slice(100) }]));
    await expect.poll(() => visitor.errors().at(-1)).toEqual({ code: 1003, message: "Too many subscriptions." });
  });

  test("stay limited for repeated requests", async () => {
    const tab = await open();
    const channels = range(20).map(post);
    tab.say(subscribe(range(30).map((number) => ({ subscriptionId: `s${number}`, channels }))));
    await expect.poll(tab.errors).toHaveLength(1);
    expect(tab.frames.find(({ type }) => type === "response")?.data?.subscriptions).toHaveLength(10);
    tab.say(subscribe([{ subscriptionId: "filtered", channels: ["documents"], queries: [equals(300)] }]));
    await expect.poll(tab.errors).toHaveLength(2);
  });
});

const equals = (values: number) => JSON.stringify({ method: "equal", attribute: "views", values: range(values) });

test("a changed subscription updates the hub once per frame", async () => {
  const update = vi.spyOn(Hub.prototype, "update");
  const tab = await open([], api.world.maren);
  tab.say(subscribe([{ subscriptionId: "kept", channels: range(50).map(post) }]));
  await expect.poll(() => update.mock.calls.map(([, changed]) => changed.length)).toEqual([50]);
  tab.say(subscribe(range(50).map((number) => ({ subscriptionId: `s${number}`, channels: [] }))));
  tab.say(subscribe([{ subscriptionId: "kept-2", channels: [post(1), post(60)] }]));
  tab.say({ type: "unsubscribe", data: [{ subscriptionId: "kept-2" }] });
  tab.say({ type: "ping" });
  await expect.poll(() => tab.frames.at(-1)).toEqual({ type: "pong" });
  expect(update.mock.calls.map(([, changed]) => changed.length)).toEqual([50, 2, 2]);
  await createPost(api.world.site, api.world.maren, { title: "One", slug: "story-1", content: "", status: "active" }, await picture());
  await createPost(api.world.site, api.world.maren, { title: "Two", slug: "story-60", content: "", status: "active" }, await picture());
  await createPost(api.world.site, api.world.maren, { title: "Three", slug: "story-2", content: "", status: "active" }, await picture());
  const received = () =>
    tab.frames.filter(({ type }) => type === "event").map(({ data }) => (data as { payload?: { $id: string } }).payload?.$id);
  await expect.poll(received).toEqual(["story-1", "story-2"]);
});

describe("a client that sends too much", () => {
  test("gets one error and is closed, by the length of its frames", async () => {
    const tab = await open();
    const long = subscribe(range(100).map((number) => ({ subscriptionId: `subscription-${number}`, channels: [] })));
    for (let i = 0; i < 200; i++) tab.say(long);
    expect(await tab.closed).toBe(1008);
    const codes = tab.errors().map((error) => error?.code);
    // The warning overtakes answers to frames that arrived before.
    expect(codes.filter((code) => code !== 1003)).toEqual([1013, 1008]);
    expect(codes.at(-1)).toBe(1008);
  });

  test("is closed for many short frames", async () => {
    const tab = await open();
    let closed: number | undefined;
    void tab.closed.then((code) => {
      closed = code;
    });
    while (closed === undefined) {
      tab.say({ type: "ping" });
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(closed).toBe(1008);
    expect(tab.frames.filter(({ type }) => type === "pong").length).toBeLessThanOrEqual(400);
  });

  test("is closed for many session attempts", async () => {
    const tab = await open();
    for (let i = 0; i < 60; i++) tab.say({ type: "authentication", data: { session: "x" } });
    expect(await tab.closed).toBe(1008);
  });
});

test.each([
  ["too long", "x".repeat(70_000), 1009],
  ["too deep", `{"type":"subscribe","data":${"[".repeat(20)}${"]".repeat(20)}}`, undefined],
  ["very deep", `{"type":"subscribe","data":${"[".repeat(30_000)}${"]".repeat(30_000)}}`, undefined],
])("a frame that is %s is refused", async (_what, text, code) => {
  const tab = await open();
  tab.socket.send(text);
  if (code) expect(await tab.closed).toBe(code);
  else await expect.poll(tab.errors).toEqual([{ code: 1003, message: "Message format is not valid." }]);
});

test.each(webSdks)("%s gets events of a known channel next to an unknown one", async (name) => {
  stubBrowser();
  vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(console, "warn").mockReturnValue();
  const { client } = await api.connect(name);
  const received: unknown[] = [];
  cleanups.push(client.subscribe(["documents", "nothing.here"], () => {}));
  cleanups.push(client.subscribe("documents", (event) => received.push(event)));
  let number = 0;
  await expect
    .poll(
      async () => {
        const slug = `story-${++number}`;
        await createPost(api.world.site, api.world.maren, { title: slug, slug, content: "", status: "active" }, await picture());
        return received.length;
      },
      { interval: 300 },
    )
    .toBeGreaterThan(0);
});

describe("clients without a session", () => {
  const connect = (query: Record<string, string>, headers: Record<string, string> = {}) =>
    new Promise<string>((resolve) => {
      const asked = new URLSearchParams({ project: ids.project, ...query });
      const socket = new Socket(`${api.endpoint.replace("http", "ws")}/realtime?${asked}`, { headers });
      cleanups.push(() => socket.terminate());
      socket.once("open", () => resolve("open"));
      socket.once("error", ({ message }) => resolve(message));
    });

  test("have ten sockets per network, also with invalid credentials; clients with a session, key or token have more", async () => {
    const { maren, site } = api.world;
    const invalidCredentials: [Record<string, string>, Record<string, string>][] = [
      [{}, { "x-appwrite-key": "ink_made-up" }],
      [{ jwt: "made.up.token" }, {}],
      [{}, { "x-appwrite-session": "bWFkZSB1cA" }],
      [{}, {}],
    ];
    for (const number of range(10))
      expect(await connect(...(invalidCredentials[number % 4] as (typeof invalidCredentials)[number]))).toBe("open");
    for (const each of invalidCredentials) expect(await connect(...each)).toContain("429");
    const { secret } = await createApiKeyFor(site, maren.email, { name: "Reader", scopes: ["read"], days: 365 });
    const { jwt } = await (await api.connect("appwrite 27.0.0", maren)).account.createJWT();
    expect(await connect({}, { "x-appwrite-key": secret })).toBe("open");
    expect(await connect({ jwt })).toBe("open");
    expect(await connect({}, { "x-appwrite-session": await api.signIn(maren) })).toBe("open");
  });

  test("count for their account once they have authenticated", async () => {
    const { maren, tobias } = api.world;
    const [marens, tobiass] = [await api.signIn(maren), await api.signIn(tobias)];
    const authenticate = async (session: string) => {
      const tab = await open();
      tab.say({ type: "authentication", data: { session } });
      await expect.poll(() => tab.frames.length).toBe(2);
      return tab;
    };
    const [first] = await Promise.all(range(10).map(() => authenticate(marens)));
    for (const _each of range(4)) await Promise.all(range(10).map(() => authenticate(marens)));
    // Presenting it again, or another one, counts once.
    first?.say({ type: "authentication", data: { session: marens } });
    await expect.poll(() => first?.frames.length).toBe(3);
    const surplus = await authenticate(marens);
    expect(await surplus.closed).toBe(1008);
    expect(surplus.errors()).toEqual([{ code: 1008, message: "Too many connections." }]);
    first?.say({ type: "authentication", data: { session: tobiass } });
    await expect.poll(() => first?.frames.length).toBe(4);
    expect((await authenticate(marens)).errors()).toEqual([]);
  });
});
