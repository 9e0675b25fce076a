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
let cleanups: (() => void)[];
beforeEach(async () => {
  stubBrowser();
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "error").mockReturnValue();
  cleanups = [];
  api = await openApi();
});
afterEach(async () => {
  for (const each of cleanups) each();
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
      const restoreFetch = sendOrigin("http://localhost:5173");
      await connection.account.createEmailPasswordSession(who.email, password);
      restoreFetch();
    }
    const received: ReceivedEvent[] = [];
    cleanups.push(connection.client.subscribe(channels, (event) => received.push(event as unknown as ReceivedEvent)));
    return { received, connection };
  }
  /** Clients connect after a delay and report nothing. */
  async function receivedUntil(isReceived: () => boolean, work: () => Promise<unknown>) {
    await expect
      .poll(
        async () => {
          await work();
          return isReceived();
        },
        { interval: 200 },
      )
      .toBe(true);
  }
  const receivedAfter = (received: ReceivedEvent[], work: () => Promise<unknown>) => receivedUntil(() => received.length > 0, work);

  test("59 and 62 document events arrive by collection and by document", async () => {
    await write("a");
    const { site, tobias } = api.world;
    const all = await listen("documents");
    const likes = await listen(`databases.${ids.database}.collections.likes.documents`);
    let on = false;
    await receivedAfter(likes.received, () => {
      on = !on;
      return setLike(site, tobias, "a", on);
    });
    await expect.poll(() => all.received.length).toBeGreaterThan(0);
    const event = likes.received[0];
    const action = event?.events[0]?.split(".").at(-1) ?? "";
    expect(event?.events[0]).toBe(`databases.main.collections.likes.documents.${event?.payload.$id}.${action}`);
    expect(event?.events).toContain(`databases.*.collections.*.documents.*.${action}`);
    expect(event?.payload).toMatchObject({ postId: "a", userId: tobias.id, $collectionId: "likes" });
    expect(event?.channels).toContain("documents");
  });

  test("61 account events arrive after authentication", async () => {
    const { received, connection } = await listen("account", api.world.maren);
    let count = 0;
    await receivedAfter(received, () => connection.account.updatePrefs({ count: ++count }));
    expect(received[0]?.events[0]).toBe(`users.${api.world.maren.id}.update.prefs`);
    expect(received[0]?.payload).toMatchObject({ $id: api.world.maren.id, email: "maren@example.com" });
  });

  test("63 events of unreadable documents don't arrive", async () => {
    await write("a");
    const { site, tobias } = api.world;
    const stranger = await listen("documents");
    let on = false;
    // A client that connects later would use the other's session in the browser.
    await receivedAfter(stranger.received, () => {
      on = !on;
      return setLike(site, tobias, "a", on);
    });
    const own = await listen("documents", tobias);
    const isBookmark = ({ channels }: ReceivedEvent) => channels.join().includes("bookmarks");
    await receivedUntil(
      () => own.received.some(isBookmark),
      () => {
        on = !on;
        return setBookmark(site, tobias, "a", on);
      },
    );
    expect(stranger.received.filter(isBookmark)).toEqual([]);
  });

  test("66 an idle client stays connected for more than a minute", async () => {
    await write("a");
    const { site, tobias } = api.world;
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    cleanups.push(() => vi.useRealTimers());
    const opened = vi.spyOn(globalThis, "WebSocket");
    const sent = vi.spyOn(WebSocket.prototype, "send");
    const likes = await listen(`databases.${ids.database}.collections.likes.documents`);
    let on = false;
    const react = () => {
      on = !on;
      return setLike(site, tobias, "a", on);
    };
    await receivedAfter(likes.received, react);
    const emitted = vi.spyOn(Socket.prototype, "emit");
    // Heartbeats of earlier tests' clients go on, on closed sockets.
    const isOwn = (socket: WebSocket) => socket.url.startsWith(api.endpoint.replace("http", "ws"));
    const pings = () =>
      sent.mock.calls.filter(([frame], i) => String(frame).includes('"ping"') && isOwn(sent.mock.contexts[i] as WebSocket)).length;
    const answers = () => emitted.mock.calls.filter(([name]) => name === "pong").length;
    for (let count = 1; count <= 4; count++) {
      vi.advanceTimersByTime(20_000);
      // The responses need time before the next twenty seconds are over.
      await expect.poll(() => [pings(), answers()]).toEqual([count, count]);
    }
    likes.received.length = 0;
    await receivedAfter(likes.received, react);
    expect(opened.mock.calls.length).toBe(1);
  });

  test.each(["stops", "breaks"] as const)("68 when the connection %s, the client reconnects and gets events again", async (how) => {
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
    await receivedAfter(likes.received, react);
    const before = opened.mock.calls.length;
    api.disconnect(how);
    // Events in transit still arrive: only those of the next connection count.
    await expect.poll(() => opened.mock.calls.length).toBe(before + 1);
    likes.received.length = 0;
    await receivedAfter(likes.received, react);
    expect(opened.mock.calls.length).toBe(before + 1);
    // Likes arrive before the client has authenticated.
    let count = 0;
    await receivedUntil(
      () => likes.received.some(({ payload }) => payload.email === tobias.email),
      () => likes.connection.account.updatePrefs({ count: ++count }),
    );
  });

  test("67 an unknown project gets an error and no reconnection", async () => {
    const connection = await api.connect(name);
    connection.client.setProject("other");
    const opened = vi.spyOn(globalThis, "WebSocket");
    cleanups.push(connection.client.subscribe("documents", () => {}));
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
    cleanups.push(() => void realtime.disconnect());
    const received: Record<string, ReceivedEvent[]> = { all: [], likes: [], salmas: [] };
    const into = (list: string) => (event: unknown) => received[list]?.push(event as ReceivedEvent);
    const channel = `databases.${ids.database}.collections.likes.documents`;
    await realtime.subscribe("documents", into("all"));
    const likes = await realtime.subscribe(channel, into("likes"));
    await realtime.subscribe(channel, into("salmas"), [newest.Query.equal("userId", [salma.id])]);
    await expect
      .poll(async () => {
        await setLike(site, tobias, "a", true);
        await setLike(site, tobias, "a", false);
        return received.likes?.length;
      })
      .toBeGreaterThan(0);
    // The first event on "all" may still be the story itself.
    expect(received.likes?.[0]?.subscriptions?.length).toBe(2);
    expect(received.salmas).toEqual([]);
    await setLike(site, salma, "a", true);
    await expect.poll(() => received.salmas?.length).toBe(1);
    expect(received.salmas?.[0]?.subscriptions?.length).toBe(3);
    await likes.unsubscribe();
    const before = received.likes?.length;
    await expect
      .poll(async () => {
        await setLike(site, salma, "a", false);
        await setLike(site, salma, "a", true);
        return received.salmas?.at(-1)?.subscriptions?.length;
      })
      .toBe(2);
    expect(received.likes?.length).toBeLessThanOrEqual((before ?? 0) + 4);
  });
});

describe("realtime with the newest client's own class, 68", () => {
  test.each(["stops", "breaks"] as const)("when the connection %s, all subscriptions are restored", async (how) => {
    await write("a");
    const { site, tobias, salma } = api.world;
    const { client } = await api.connect("appwrite 27.0.0");
    const realtime = new newest.Realtime(client as unknown as newest.Client);
    cleanups.push(() => void realtime.disconnect());
    const received: Record<"all" | "likes", unknown[]> = { all: [], likes: [] };
    const into = (list: unknown[]) => (event: unknown) => list.push((event as ReceivedEvent).payload.userId);
    await realtime.subscribe("documents", into(received.all));
    await realtime.subscribe(`databases.${ids.database}.collections.likes.documents`, into(received.likes));
    const bothReceive = (who: Member) =>
      expect
        .poll(async () => {
          await setLike(site, who, "a", true);
          await setLike(site, who, "a", false);
          return received.all.includes(who.id) && received.likes.includes(who.id);
        })
        .toBe(true);
    await bothReceive(tobias);
    api.disconnect(how);
    await bothReceive(salma);
  });
});
