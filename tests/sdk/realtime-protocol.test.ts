import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket as Socket } from "ws";
import { deleteAccount } from "#domain/account-deletion/delete-account.server.ts";
import { documentsTopic } from "#domain/changes.ts";
import { deleteChat } from "#domain/messages/deleting.server.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { curatePost } from "#domain/moderation/posts/moderation.server.ts";
import { createPost, deletePost } from "#domain/posts/posts.server.ts";
import type { Member } from "#domain/site.ts";
import { eventsDelivered } from "../support/events-delivered.ts";
import { picture } from "../support/pictures.ts";
import { publish } from "../support/publish.ts";
import { password } from "../support/world.ts";
import { ids, type OpenApi, openApi } from "./api.ts";

let api: OpenApi;
let sockets: Socket[];
beforeEach(async () => {
  sockets = [];
  api = await openApi();
});
afterEach(async () => {
  for (const socket of sockets) socket.terminate();
  await api.close();
});

type ReceivedEvent = { events: string[]; channels: string[]; payload: Record<string, unknown>; subscriptions?: string[] };
type Frame = { type: string; data: Record<string, unknown> & ReceivedEvent };

const write = async (slug: string, status: "active" | "inactive" = "active") =>
  createPost(api.world.site, api.world.maren, { title: slug, slug, content: "", status }, await picture());

/** A bare socket, for its frames. */
async function open(query: string, session?: string, headers = {}) {
  const url = `${api.endpoint.replace("http", "ws")}/realtime?${query}`;
  const socket = new Socket(url, { headers: { ...(session && { cookie: `a_session_${ids.project}=${session}` }), ...headers } });
  const frames: Frame[] = [];
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  socket.on("message", (data) => frames.push(JSON.parse(String(data)) as Frame));
  sockets.push(socket);
  await expect.poll(() => frames.length + (socket.readyState === Socket.CLOSED ? 1 : 0)).toBeGreaterThan(0);
  const events = () => frames.filter(({ type }) => type === "event").map(({ data }) => data);
  return { socket, frames, closed, events, say: (frame: object) => socket.send(JSON.stringify(frame)) };
}
const projectQuery = `project=${ids.project}`;
const channelQuery = (...channels: string[]) => `${projectQuery}${channels.map((channel) => `&channels%5B%5D=${channel}`).join("")}`;

describe("on the wire", () => {
  test("59 channels in the address are subscribed, except another member's account", async () => {
    const { frames } = await open(
      channelQuery("documents", "account", `account.${api.world.tobias.id}`),
      await api.signIn(api.world.maren),
    );
    expect(frames[0]).toMatchObject({ type: "connected", data: { user: { $id: api.world.maren.id } } });
    expect(frames[0]?.data.channels).toEqual(["documents", "account", `account.${api.world.maren.id}`]);
  });

  test("60 channels are optional, and repeated subscriptions count once", async () => {
    const tab = await open(projectQuery);
    expect(tab.frames[0]).toEqual({ type: "connected", data: { channels: [], subscriptions: [], user: null } });
    const subscribe = { type: "subscribe", data: [{ subscriptionId: "s1", channels: ["documents"], queries: [] }] };
    tab.say(subscribe);
    tab.say(subscribe);
    await expect.poll(() => tab.frames.length).toBe(3);
    await write("a");
    await expect.poll(() => tab.events().map(({ subscriptions }) => subscriptions)).toEqual([["s1"]]);
  });

  test("62 creating, updating and deleting a story causes one event each", async () => {
    const tab = await open(
      channelQuery("documents", "databases.main.collections.posts.documents", "databases.main.collections.posts.documents.a"),
    );
    const expectEvents = (count: number) => expect.poll(() => tab.events().length).toBe(count);
    await write("a");
    await expectEvents(1);
    await curatePost(api.world.site, api.world.ruth, "a", { featured: true });
    await expectEvents(2);
    await deletePost(api.world.site, api.world.maren, "a");
    await expectEvents(3);
    const name = (action: string) => `databases.main.collections.posts.documents.a.${action}`;
    expect(tab.events().map(({ events }) => events[0])).toEqual([name("create"), name("update"), name("delete")]);
    expect(tab.events().map(({ payload }) => [payload.$id, payload.title, payload.featured])).toEqual([
      ["a", "a", false],
      ["a", "a", true],
      ["a", "a", true],
    ]);
  });

  test("62 deleting an account causes events of its stories, without author and content", async () => {
    const { site, maren, tobias, ruth } = api.world;
    await write("a-private-title");
    await write("never-published", "inactive");
    await eventsDelivered(site);
    const tabs = [await open(channelQuery("documents")), await open(channelQuery("documents"), await api.signIn(ruth))];
    const [visitor, administrator] = tabs;
    await deleteAccount(site, maren, password);
    const gone = (id: string) => `databases.main.collections.posts.documents.${id}.delete`;
    const names = (tab: (typeof tabs)[number] | undefined) =>
      tab
        ?.events()
        .map(({ events }) => events[0])
        .toSorted();
    await expect.poll(() => names(visitor)).toEqual([gone("a-private-title")]);
    await expect.poll(() => names(administrator)).toEqual([gone("a-private-title"), gone("never-published")]);
    expect(JSON.stringify(administrator?.events())).not.toContain(maren.id);
    expect(JSON.stringify(administrator?.events())).not.toContain("Maren");
    const rows = await site.db.selectFrom("events").select(["topic", "data"]).execute();
    expect(rows.filter((row) => /private-title|never-published/.test(JSON.stringify(row)))).toEqual([]);
    // No one is disconnected: all received the events before the table was emptied.
    await createPost(site, tobias, { title: "Still here", slug: "still-here", content: "", status: "active" }, await picture());
    await expect.poll(() => names(visitor)?.at(-1)).toContain("still-here.create");
  });

  test("62 if an event was emptied before a process read it, its clients are disconnected to reload", async () => {
    const tab = await open(channelQuery("documents"));
    await publish(api.world.site, { topic: documentsTopic, type: "posts.delete" });
    expect(await tab.closed).toBe(1001);
  });

  test("62 if an event's record can't be read, its clients are disconnected to reload", async () => {
    const tab = await open(channelQuery("documents"));
    await sql`alter table follows rename to missing`.execute(api.world.site.db);
    await publish(api.world.site, { topic: documentsTopic, type: "follows.create", data: { id: "a" } });
    expect(await tab.closed).toBe(1001);
  });

  test("62 deleting a chat causes an event per message, without content", async () => {
    const { site, maren, tobias, salma } = api.world;
    const send = async (from: Member, to: Member, text: string) => (await sendMessage(site, from, { to: to.id, text, sendId: text })).id;
    const ids = [await send(maren, tobias, "one"), await send(tobias, maren, "two"), await send(maren, tobias, "three")];
    await send(maren, salma, "four");
    const [own, other] = [await open(channelQuery("documents"), await api.signIn(tobias)), await open(channelQuery("documents"))];
    await deleteChat(site, maren, tobias.id);
    // Events of their creation may still arrive.
    const deletions = () => own.events().filter(({ events }) => /\.messages\..*\.delete$/.test(events[0] ?? ""));
    await expect.poll(() => deletions().length).toBe(3);
    expect(deletions().map(({ events }) => events[0])).toEqual(
      ids.map((id) => `databases.main.collections.messages.documents.${id}.delete`),
    );
    const [first] = deletions();
    expect(first?.payload).toMatchObject({ senderId: maren.id, receiverId: tobias.id, number: 1 });
    expect(JSON.stringify(deletions())).not.toContain('"one"');
    const rows = await site.db.selectFrom("events").select("data").where("type", "=", "messages.delete").execute();
    expect(rows.filter(({ data }) => data.includes("one"))).toEqual([]);
    await write("published");
    await expect.poll(() => other.events().map(({ payload }) => payload.$id)).toEqual(["published"]);
  });

  test("63 events of a draft go to its author only, until the session ends", async () => {
    const session = await api.signIn(api.world.maren);
    const [author, other] = [await open(channelQuery("documents"), session), await open(channelQuery("documents"))];
    await write("secret", "inactive");
    await expect.poll(() => author.events().length).toBe(1);
    await api.world.site.db.deleteFrom("sessions").where("userId", "=", api.world.maren.id).execute();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await write("secret-2", "inactive");
    // Clients reconnect after each code but 1008.
    expect(await author.closed).toBe(1001);
    expect(author.events().map(({ payload }) => payload.$id)).toEqual(["secret"]);
    const again = await open(channelQuery("documents"), session);
    expect(again.frames[0]).toMatchObject({ type: "connected", data: { user: null } });
    await write("published");
    for (const tab of [again, other]) await expect.poll(() => tab.events().map(({ payload }) => payload.$id)).toEqual(["published"]);
  });

  test("68 a member whose session can't be read is disconnected, not treated as a visitor", async () => {
    const { site, maren } = api.world;
    const session = await api.signIn(maren);
    await sql`alter table sessions rename to hidden_sessions`.execute(site.db);
    const tab = await open(channelQuery("documents"), session);
    expect(await tab.closed).toBe(1011);
    expect(tab.frames).toEqual([]);
    await sql`alter table hidden_sessions rename to sessions`.execute(site.db);
    expect((await open(channelQuery("documents"), session)).frames[0]).toMatchObject({ data: { user: { $id: maren.id } } });
  });

  test("66 a ping gets a pong", async () => {
    const tab = await open(channelQuery("documents"));
    tab.say({ type: "ping" });
    await expect.poll(() => tab.frames.at(-1)).toEqual({ type: "pong" });
  });

  test("67 unknown projects and unregistered pages are refused with 1008", async () => {
    for (const tab of [
      await open("project=other&channels[]=documents"),
      await open(projectQuery, undefined, { origin: "https://evil.example" }),
    ]) {
      expect(await tab.closed).toBe(1008);
      expect(tab.frames[0]).toMatchObject({ type: "error", data: { code: 1008 } });
    }
  });

  test("69 an invalid session counts as a visitor", async () => {
    const tab = await open(channelQuery("documents"));
    tab.say({ type: "authentication", data: { session: "nonsense" } });
    tab.say({ type: "authentication" });
    tab.say({ type: "dance" });
    await expect
      .poll(() => tab.frames.slice(1).map(({ data }) => [data.code, data.message]))
      .toEqual([
        [1003, "Session is not valid."],
        [1003, "Payload is not valid."],
        [1003, "Message type is not valid."],
      ]);
    await write("a");
    await expect.poll(() => tab.events().length).toBe(1);
  });

  test("queries need the number of values that lists need", async () => {
    const tab = await open(projectQuery);
    const subscribe = (method: string, values: unknown[], wrap = (query: object) => query) => {
      const query = JSON.stringify(wrap({ method, attribute: "title", values }));
      tab.say({ type: "subscribe", data: [{ subscriptionId: "a", channels: ["documents"], queries: [query] }] });
    };
    subscribe("notEqual", ["a", "b"]);
    subscribe("greaterThan", []);
    subscribe("equal", []);
    subscribe("notEqual", ["a", "b"], (query) => ({ method: "or", values: [query, { method: "isNull", attribute: "title" }] }));
    subscribe("equal", ["a", "b"]);
    await expect
      .poll(() => tab.frames.slice(1).map(({ data }) => data.message))
      .toEqual([
        "Invalid query: NotEqual queries require exactly one value.",
        "Invalid query: GreaterThan queries require exactly one value.",
        "Invalid query: Equal queries require at least one value.",
        "Invalid query: NotEqual queries require exactly one value.",
        undefined,
      ]);
    await write("b");
    await expect.poll(() => tab.events().map(({ payload }) => payload.title)).toEqual(["b"]);
  });

  test("invalid frames get an error and keep the connection", async () => {
    const tab = await open(projectQuery);
    for (const text of [
      "",
      "{",
      "null",
      "[]",
      '"a"',
      randomBytes(20).toString("latin1"),
      '{"type":"subscribe"}',
      '{"type":"subscribe","data":[{}]}',
      '{"type":"subscribe","data":[{"subscriptionId":"a"}]}',
    ])
      tab.socket.send(text);
    const subscription = {
      subscriptionId: "a",
      channels: ["documents"],
      queries: ['{"method":"search","attribute":"title","values":["x"]}'],
    };
    tab.say({ type: "subscribe", data: [subscription] });
    await expect.poll(() => tab.frames.slice(1).map(({ data }) => data.code)).toEqual(Array.from({ length: 10 }, () => 1003));
    expect(tab.frames.slice(7, 10).map(({ data }) => data.message)).toEqual([
      "Payload is not valid. Items is required",
      "Payload is not valid. subscriptionId is not a valid id.",
      "Payload is not valid. channels is not present in payload.",
    ]);
    tab.say({ type: "ping" });
    await expect.poll(() => tab.frames.at(-1)).toEqual({ type: "pong" });
  });
});
