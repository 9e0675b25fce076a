import { randomBytes } from "node:crypto";
import * as newest from "appwrite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WebSocket as Socket } from "ws";
import { deleteAccount } from "#domain/departure/departure.server.ts";
import { documentsTopic } from "#domain/documents/announce.server.ts";
import { deleteChat } from "#domain/messages/deleting.server.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { curatePost } from "#domain/posts/curation.server.ts";
import { createPost, deletePost } from "#domain/posts/posts.server.ts";
import { setBookmark, setLike } from "#domain/reactions/reactions.server.ts";
import { type Member, transaction } from "#domain/site.ts";
import { handedOn } from "../handed-on.ts";
import { picture } from "../pictures.ts";
import { password } from "../world.ts";
import { askFrom, becomeBrowser, ids, type OpenApi, openApi, type SdkName, webSdks } from "./api.ts";

let api: OpenApi;
let leave: (() => void)[];
beforeEach(async () => {
  becomeBrowser();
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "error").mockReturnValue();
  leave = [];
  api = await openApi();
});
afterEach(async () => {
  for (const each of leave) each();
  await api.close();
  vi.restoreAllMocks();
});

type Heard = { events: string[]; channels: string[]; payload: Record<string, unknown>; subscriptions?: string[] };
type Frame = { type: string; data: Record<string, unknown> & Heard };

const write = async (slug: string, status: "active" | "inactive" = "active") =>
  createPost(api.world.site, api.world.maren, { title: slug, slug, content: "", status }, await picture());

/** A socket without a client's library: what is on the wire. */
async function open(query: string, session?: string, headers = {}) {
  const url = `${api.endpoint.replace("http", "ws")}/realtime?${query}`;
  const socket = new Socket(url, { headers: { ...(session && { cookie: `a_session_${ids.project}=${session}` }), ...headers } });
  const frames: Frame[] = [];
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  socket.on("message", (data) => frames.push(JSON.parse(String(data)) as Frame));
  leave.push(() => socket.terminate());
  await expect.poll(() => frames.length + (socket.readyState === Socket.CLOSED ? 1 : 0)).toBeGreaterThan(0);
  const events = () => frames.filter(({ type }) => type === "event").map(({ data }) => data);
  return { socket, frames, closed, events, say: (frame: object) => socket.send(JSON.stringify(frame)) };
}
const guest = `project=${ids.project}`;
const listening = (...channels: string[]) => `${guest}${channels.map((channel) => `&channels%5B%5D=${channel}`).join("")}`;

describe.each(webSdks)("realtime with %s", (name: SdkName) => {
  /** By the method that both generations have. */
  async function listen(channels: string | string[], who?: Member) {
    const connection = await api.connect(name);
    if (who) {
      const back = askFrom("http://localhost:5173");
      await connection.account.createEmailPasswordSession(who.email, password);
      back();
    }
    const heard: Heard[] = [];
    leave.push(connection.client.subscribe(channels, (event) => heard.push(event as unknown as Heard)));
    return { heard, connection };
  }
  /** Clients wait a little before they connect, and say nothing when they have. */
  async function heardUntil(isHeard: () => boolean, work: () => Promise<unknown>) {
    await expect
      .poll(
        async () => {
          await work();
          return isHeard();
        },
        { interval: 200 },
      )
      .toBe(true);
  }
  const heardAfter = (heard: Heard[], work: () => Promise<unknown>) => heardUntil(() => heard.length > 0, work);

  test("59 and 62 what happens to documents is heard by collection and by document", async () => {
    await write("a");
    const { site, tobias } = api.world;
    const all = await listen("documents");
    const likes = await listen(`databases.${ids.database}.collections.likes.documents`);
    let on = false;
    await heardAfter(likes.heard, () => {
      on = !on;
      return setLike(site, tobias, "a", on);
    });
    await expect.poll(() => all.heard.length).toBeGreaterThan(0);
    const event = likes.heard[0];
    const action = event?.events[0]?.split(".").at(-1) ?? "";
    expect(event?.events[0]).toBe(`databases.main.collections.likes.documents.${event?.payload.$id}.${action}`);
    expect(event?.events).toContain(`databases.*.collections.*.documents.*.${action}`);
    expect(event?.payload).toMatchObject({ postId: "a", userId: tobias.id, $collectionId: "likes" });
    expect(event?.channels).toContain("documents");
  });

  test("61 somebody's own account, once they have said who they are", async () => {
    const { heard, connection } = await listen("account", api.world.maren);
    let count = 0;
    await heardAfter(heard, () => connection.account.updatePrefs({ count: ++count }));
    expect(heard[0]?.events[0]).toBe(`users.${api.world.maren.id}.update.prefs`);
    expect(heard[0]?.payload).toMatchObject({ $id: api.world.maren.id, email: "maren@example.com" });
  });

  test("63 what may not be read is not heard", async () => {
    await write("a");
    const { site, tobias } = api.world;
    const stranger = await listen("documents");
    let on = false;
    // One who connects after the other has signed in would find that session in the browser, and use it.
    await heardAfter(stranger.heard, () => {
      on = !on;
      return setLike(site, tobias, "a", on);
    });
    const own = await listen("documents", tobias);
    const isBookmark = ({ channels }: Heard) => channels.join().includes("bookmarks");
    await heardUntil(
      () => own.heard.some(isBookmark),
      () => {
        on = !on;
        return setBookmark(site, tobias, "a", on);
      },
    );
    expect(stranger.heard.filter(isBookmark)).toEqual([]);
  });

  test("66 a client that hears nothing for more than a minute is still there", async () => {
    await write("a");
    const { site, tobias } = api.world;
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    leave.push(() => vi.useRealTimers());
    const opened = vi.spyOn(globalThis, "WebSocket");
    const sent = vi.spyOn(WebSocket.prototype, "send");
    const likes = await listen(`databases.${ids.database}.collections.likes.documents`);
    let on = false;
    const react = () => {
      on = !on;
      return setLike(site, tobias, "a", on);
    };
    await heardAfter(likes.heard, react);
    const emitted = vi.spyOn(Socket.prototype, "emit");
    // The clients of earlier tests go on beating, on sockets that are closed.
    const isOwn = (socket: WebSocket) => socket.url.startsWith(api.endpoint.replace("http", "ws"));
    const beats = () =>
      sent.mock.calls.filter(([frame], i) => String(frame).includes('"ping"') && isOwn(sent.mock.contexts[i] as WebSocket)).length;
    const answers = () => emitted.mock.calls.filter(([name]) => name === "pong").length;
    for (let twenties = 1; twenties <= 4; twenties++) {
      vi.advanceTimersByTime(20_000);
      // The answers have to travel before the next twenty seconds are over.
      await expect.poll(() => [beats(), answers()]).toEqual([twenties, twenties]);
    }
    likes.heard.length = 0;
    await heardAfter(likes.heard, react);
    expect(opened.mock.calls.length).toBe(1);
  });

  test.each(["goes away", "is cut"] as const)("68 when the server %s, the client comes back by itself and hears again", async (how) => {
    await write("a");
    const { site, tobias } = api.world;
    const opened = vi.spyOn(globalThis, "WebSocket");
    const channel = `databases.${ids.database}.collections.likes.documents`;
    const likes = await listen([channel, "account"], tobias);
    let on = false;
    const react = () => {
      on = !on;
      return setLike(site, tobias, "a", on);
    };
    await heardAfter(likes.heard, react);
    const before = opened.mock.calls.length;
    api.hangUp(how);
    // What was on its way when the line went is still heard: only what comes once there is another counts.
    await expect.poll(() => opened.mock.calls.length).toBe(before + 1);
    likes.heard.length = 0;
    await heardAfter(likes.heard, react);
    expect(opened.mock.calls.length).toBe(before + 1);
    // Likes are heard before the client has said who it is.
    let count = 0;
    await heardUntil(
      () => likes.heard.some(({ payload }) => payload.email === tobias.email),
      () => likes.connection.account.updatePrefs({ count: ++count }),
    );
  });

  test("67 an unknown project is told so, and not asked for again", async () => {
    const connection = await api.connect(name);
    connection.client.setProject("other");
    const opened = vi.spyOn(globalThis, "WebSocket");
    leave.push(connection.client.subscribe("documents", () => {}));
    await expect.poll(() => opened.mock.calls.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(opened.mock.calls.length).toBe(1);
  });
});

describe("realtime with the newest client's own class", () => {
  test("60, 64 and 65 subscriptions come and go, and each event names those it is for", async () => {
    await write("a");
    const { site, tobias, salma } = api.world;
    const { client } = await api.connect("appwrite 27.0.0");
    const realtime = new newest.Realtime(client as unknown as newest.Client);
    leave.push(() => void realtime.disconnect());
    const heard: Record<string, Heard[]> = { all: [], likes: [], salmas: [] };
    const into = (list: string) => (event: unknown) => heard[list]?.push(event as Heard);
    const channel = `databases.${ids.database}.collections.likes.documents`;
    await realtime.subscribe("documents", into("all"));
    const likes = await realtime.subscribe(channel, into("likes"));
    await realtime.subscribe(channel, into("salmas"), [newest.Query.equal("userId", [salma.id])]);
    await expect
      .poll(async () => {
        await setLike(site, tobias, "a", true);
        await setLike(site, tobias, "a", false);
        return heard.likes?.length;
      })
      .toBeGreaterThan(0);
    // The first that "all" hears may still be the story itself.
    expect(heard.likes?.[0]?.subscriptions?.length).toBe(2);
    expect(heard.salmas).toEqual([]);
    await setLike(site, salma, "a", true);
    await expect.poll(() => heard.salmas?.length).toBe(1);
    expect(heard.salmas?.[0]?.subscriptions?.length).toBe(3);
    await likes.unsubscribe();
    const before = heard.likes?.length;
    await expect
      .poll(async () => {
        await setLike(site, salma, "a", false);
        await setLike(site, salma, "a", true);
        return heard.salmas?.at(-1)?.subscriptions?.length;
      })
      .toBe(2);
    expect(heard.likes?.length).toBeLessThanOrEqual((before ?? 0) + 4);
  });
});

describe("realtime with the newest client's own class, 68", () => {
  test.each(["goes away", "is cut"] as const)("when the server %s, every subscription is there again", async (how) => {
    await write("a");
    const { site, tobias, salma } = api.world;
    const { client } = await api.connect("appwrite 27.0.0");
    const realtime = new newest.Realtime(client as unknown as newest.Client);
    leave.push(() => void realtime.disconnect());
    const heard: Record<"all" | "likes", unknown[]> = { all: [], likes: [] };
    const into = (list: unknown[]) => (event: unknown) => list.push((event as Heard).payload.userId);
    await realtime.subscribe("documents", into(heard.all));
    await realtime.subscribe(`databases.${ids.database}.collections.likes.documents`, into(heard.likes));
    const bothHear = (who: Member) =>
      expect
        .poll(async () => {
          await setLike(site, who, "a", true);
          await setLike(site, who, "a", false);
          return heard.all.includes(who.id) && heard.likes.includes(who.id);
        })
        .toBe(true);
    await bothHear(tobias);
    api.hangUp(how);
    await bothHear(salma);
  });
});

describe("on the wire", () => {
  test("59 channels of the address are connected, and another's account is none", async () => {
    const { frames } = await open(listening("documents", "account", `account.${api.world.tobias.id}`), await api.signIn(api.world.maren));
    expect(frames[0]).toMatchObject({ type: "connected", data: { user: { $id: api.world.maren.id } } });
    expect(frames[0]?.data.channels).toEqual(["documents", "account", `account.${api.world.maren.id}`]);
  });

  test("60 no channels are fine, and a repeated subscription is one", async () => {
    const tab = await open(guest);
    expect(tab.frames[0]).toEqual({ type: "connected", data: { channels: [], subscriptions: [], user: null } });
    const subscribe = { type: "subscribe", data: [{ subscriptionId: "s1", channels: ["documents"], queries: [] }] };
    tab.say(subscribe);
    tab.say(subscribe);
    await expect.poll(() => tab.frames.length).toBe(3);
    await write("a");
    await expect.poll(() => tab.events().map(({ subscriptions }) => subscriptions)).toEqual([["s1"]]);
  });

  test("62 a story made, changed and removed is told once each", async () => {
    const tab = await open(
      listening("documents", "databases.main.collections.posts.documents", "databases.main.collections.posts.documents.a"),
    );
    const told = (count: number) => expect.poll(() => tab.events().length).toBe(count);
    await write("a");
    await told(1);
    await curatePost(api.world.site, api.world.ruth, "a", { featured: true });
    await told(2);
    await deletePost(api.world.site, api.world.maren, "a");
    await told(3);
    const name = (action: string) => `databases.main.collections.posts.documents.a.${action}`;
    expect(tab.events().map(({ events }) => events[0])).toEqual([name("create"), name("update"), name("delete")]);
    expect(tab.events().map(({ payload }) => [payload.$id, payload.title, payload.featured])).toEqual([
      ["a", "a", false],
      ["a", "a", true],
      ["a", "a", true],
    ]);
  });

  test("62 the stories of an account that is deleted are told, without whose they were or what they said", async () => {
    const { site, maren, tobias, ruth } = api.world;
    await write("a-private-title");
    await write("kept-back", "inactive");
    await handedOn(site);
    const tabs = [await open(listening("documents")), await open(listening("documents"), await api.signIn(ruth))];
    const [visitor, administrator] = tabs;
    await deleteAccount(site, maren, password);
    const gone = (id: string) => `databases.main.collections.posts.documents.${id}.delete`;
    const names = (tab: (typeof tabs)[number] | undefined) =>
      tab
        ?.events()
        .map(({ events }) => events[0])
        .toSorted();
    await expect.poll(() => names(visitor)).toEqual([gone("a-private-title")]);
    await expect.poll(() => names(administrator)).toEqual([gone("a-private-title"), gone("kept-back")]);
    expect(JSON.stringify(administrator?.events())).not.toContain(maren.id);
    expect(JSON.stringify(administrator?.events())).not.toContain("Maren");
    const kept = await site.db.selectFrom("events").select(["topic", "data"]).execute();
    expect(kept.filter((row) => /private-title|kept-back/.test(JSON.stringify(row)))).toEqual([]);
    // Nobody is hung up on: each was told before the events were emptied.
    await createPost(site, tobias, { title: "Still here", slug: "still-here", content: "", status: "active" }, await picture());
    await expect.poll(() => names(visitor)?.at(-1)).toContain("still-here.create");
  });

  test("62 what was emptied before a process read it is lost there: its listeners come back and load anew", async () => {
    const tab = await open(listening("documents"));
    await transaction(api.world.site, async (tx) => tx.publish({ topic: documentsTopic, type: "posts.delete", data: {} }));
    expect(await tab.closed).toBe(1001);
  });

  test("62 a chat that is deleted is told message by message, without what they said", async () => {
    const { site, maren, tobias, salma } = api.world;
    const send = (from: Member, to: Member, text: string) => sendMessage(site, from, { to: to.id, text, sendId: text });
    const ids = [await send(maren, tobias, "one"), await send(tobias, maren, "two"), await send(maren, tobias, "three")];
    await send(maren, salma, "four");
    const [own, other] = [await open(listening("documents"), await api.signIn(tobias)), await open(listening("documents"))];
    await deleteChat(site, maren, tobias.id);
    // That they were written may be told still.
    const told = () => own.events().filter(({ events }) => events[0]?.endsWith(".delete"));
    await expect.poll(() => told().length).toBe(3);
    expect(told().map(({ events }) => events[0])).toEqual(ids.map((id) => `databases.main.collections.messages.documents.${id}.delete`));
    const [first] = told();
    expect(first?.payload).toMatchObject({ senderId: maren.id, receiverId: tobias.id, number: 1 });
    expect(JSON.stringify(told())).not.toContain('"one"');
    const kept = await site.db.selectFrom("events").select("data").where("type", "=", "messages.delete").execute();
    expect(kept.filter(({ data }) => data.includes("one"))).toEqual([]);
    await write("published");
    await expect.poll(() => other.events().map(({ payload }) => payload.$id)).toEqual(["published"]);
  });

  test("63 a draft is its author's, by the session at the time", async () => {
    const session = await api.signIn(api.world.maren);
    const [author, other] = [await open(listening("documents"), session), await open(listening("documents"))];
    await write("secret", "inactive");
    await expect.poll(() => author.events().length).toBe(1);
    await api.world.site.db.deleteFrom("sessions").where("userId", "=", api.world.maren.id).execute();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await write("secret-2", "inactive");
    await write("published");
    await expect.poll(() => author.events().map(({ payload }) => payload.$id)).toEqual(["secret", "published"]);
    await expect.poll(() => other.events().map(({ payload }) => payload.$id)).toEqual(["published"]);
  });

  test("66 ping is answered", async () => {
    const tab = await open(listening("documents"));
    tab.say({ type: "ping" });
    await expect.poll(() => tab.frames.at(-1)).toEqual({ type: "pong" });
  });

  test("67 an unknown project and a page that nobody registered are refused with 1008", async () => {
    for (const tab of [
      await open("project=other&channels[]=documents"),
      await open(guest, undefined, { origin: "https://evil.example" }),
    ]) {
      expect(await tab.closed).toBe(1008);
      expect(tab.frames[0]).toMatchObject({ type: "error", data: { code: 1008 } });
    }
  });

  test("69 a session that is none leaves a guest", async () => {
    const tab = await open(listening("documents"));
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

  test("frames that are none are answered, never fatal", async () => {
    const tab = await open(guest);
    for (const text of [
      "",
      "{",
      "null",
      "[]",
      '"a"',
      randomBytes(20).toString("latin1"),
      '{"type":"subscribe"}',
      '{"type":"subscribe","data":[{}]}',
    ])
      tab.socket.send(text);
    const subscription = {
      subscriptionId: "a",
      channels: ["documents"],
      queries: ['{"method":"search","attribute":"title","values":["x"]}'],
    };
    tab.say({ type: "subscribe", data: [subscription] });
    await expect.poll(() => tab.frames.slice(1).map(({ data }) => data.code)).toEqual(Array.from({ length: 9 }, () => 1003));
    tab.say({ type: "ping" });
    await expect.poll(() => tab.frames.at(-1)).toEqual({ type: "pong" });
  });
});
