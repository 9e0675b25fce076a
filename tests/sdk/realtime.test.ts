import * as newest from "appwrite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WebSocket as Socket } from "ws";
import { createPost } from "#domain/posts/posts.server.ts";
import { setBookmark, setLike } from "#domain/reactions/reactions.server.ts";
import type { Member } from "#domain/site.ts";
import { picture } from "../support/pictures.ts";
import { password } from "../support/world.ts";
import { ids, type OpenApi, openApi, type SdkName, sendOrigin, stubBrowser, webSdks } from "./api.ts";

let api: OpenApi;
let leave: (() => void)[];
beforeEach(async () => {
  stubBrowser();
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

type ReceivedEvent = { events: string[]; channels: string[]; payload: Record<string, unknown>; subscriptions?: string[] };

const write = async (slug: string, status: "active" | "inactive" = "active") =>
  createPost(api.world.site, api.world.maren, { title: slug, slug, content: "", status }, await picture());

describe.each(webSdks)("realtime with %s", (name: SdkName) => {
  /** The method that both generations have. */
  async function listen(channels: string | string[], who?: Member) {
    const connection = await api.connect(name);
    if (who) {
      const back = sendOrigin("http://localhost:5173");
      await connection.account.createEmailPasswordSession(who.email, password);
      back();
    }
    const heard: ReceivedEvent[] = [];
    leave.push(connection.client.subscribe(channels, (event) => heard.push(event as unknown as ReceivedEvent)));
    return { heard, connection };
  }
  /** Clients connect after a delay and report nothing. */
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
  const heardAfter = (heard: ReceivedEvent[], work: () => Promise<unknown>) => heardUntil(() => heard.length > 0, work);

  test("59 and 62 document events arrive by collection and by document", async () => {
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

  test("61 account events arrive after authentication", async () => {
    const { heard, connection } = await listen("account", api.world.maren);
    let count = 0;
    await heardAfter(heard, () => connection.account.updatePrefs({ count: ++count }));
    expect(heard[0]?.events[0]).toBe(`users.${api.world.maren.id}.update.prefs`);
    expect(heard[0]?.payload).toMatchObject({ $id: api.world.maren.id, email: "maren@example.com" });
  });

  test("63 events of unreadable documents don't arrive", async () => {
    await write("a");
    const { site, tobias } = api.world;
    const stranger = await listen("documents");
    let on = false;
    // A client that connects later would use the other's session in the browser.
    await heardAfter(stranger.heard, () => {
      on = !on;
      return setLike(site, tobias, "a", on);
    });
    const own = await listen("documents", tobias);
    const isBookmark = ({ channels }: ReceivedEvent) => channels.join().includes("bookmarks");
    await heardUntil(
      () => own.heard.some(isBookmark),
      () => {
        on = !on;
        return setBookmark(site, tobias, "a", on);
      },
    );
    expect(stranger.heard.filter(isBookmark)).toEqual([]);
  });

  test("66 an idle client stays connected for more than a minute", async () => {
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
    // Heartbeats of earlier tests' clients go on, on closed sockets.
    const isOwn = (socket: WebSocket) => socket.url.startsWith(api.endpoint.replace("http", "ws"));
    const beats = () =>
      sent.mock.calls.filter(([frame], i) => String(frame).includes('"ping"') && isOwn(sent.mock.contexts[i] as WebSocket)).length;
    const answers = () => emitted.mock.calls.filter(([name]) => name === "pong").length;
    for (let twenties = 1; twenties <= 4; twenties++) {
      vi.advanceTimersByTime(20_000);
      // The responses need time before the next twenty seconds are over.
      await expect.poll(() => [beats(), answers()]).toEqual([twenties, twenties]);
    }
    likes.heard.length = 0;
    await heardAfter(likes.heard, react);
    expect(opened.mock.calls.length).toBe(1);
  });

  test.each(["goes away", "is cut"] as const)("68 when the server %s, the client reconnects and gets events again", async (how) => {
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
    // Events in transit still arrive: only those of the next connection count.
    await expect.poll(() => opened.mock.calls.length).toBe(before + 1);
    likes.heard.length = 0;
    await heardAfter(likes.heard, react);
    expect(opened.mock.calls.length).toBe(before + 1);
    // Likes arrive before the client has authenticated.
    let count = 0;
    await heardUntil(
      () => likes.heard.some(({ payload }) => payload.email === tobias.email),
      () => likes.connection.account.updatePrefs({ count: ++count }),
    );
  });

  test("67 an unknown project gets an error and no reconnection", async () => {
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
  test("60, 64 and 65 subscriptions are added and removed, and each event names its subscriptions", async () => {
    await write("a");
    const { site, tobias, salma } = api.world;
    const { client } = await api.connect("appwrite 27.0.0");
    const realtime = new newest.Realtime(client as unknown as newest.Client);
    leave.push(() => void realtime.disconnect());
    const heard: Record<string, ReceivedEvent[]> = { all: [], likes: [], salmas: [] };
    const into = (list: string) => (event: unknown) => heard[list]?.push(event as ReceivedEvent);
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
    // The first event on "all" may still be the story itself.
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
  test.each(["goes away", "is cut"] as const)("when the server %s, all subscriptions are restored", async (how) => {
    await write("a");
    const { site, tobias, salma } = api.world;
    const { client } = await api.connect("appwrite 27.0.0");
    const realtime = new newest.Realtime(client as unknown as newest.Client);
    leave.push(() => void realtime.disconnect());
    const heard: Record<"all" | "likes", unknown[]> = { all: [], likes: [] };
    const into = (list: unknown[]) => (event: unknown) => list.push((event as ReceivedEvent).payload.userId);
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
