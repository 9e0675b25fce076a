import { once } from "node:events";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { ownTopic } from "#domain/messages/message.ts";
import { heartbeat, LiveServer, types } from "../../tests/support/browsers/live-server.ts";
import { publish as publishEvents } from "../../tests/support/publish.ts";
import type { World } from "../../tests/support/world.ts";

let live: LiveServer;
let world: World;
beforeEach(async () => {
  live = await LiveServer.open();
  world = live.world;
});
afterEach(() => live.close());

describe("a connection", () => {
  test("ends with 1008 when its session is revoked", async () => {
    await live.reopen({ pingIntervalMs: 1_000 });
    const tab = await live.connect(await live.cookieOf("maren"));
    const other = await live.connect(await live.cookieOf("tobias"));
    await world.site.db.deleteFrom("sessions").where("userId", "=", world.maren.id).execute();
    expect(await tab.closed).toBe(1008);
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
  });

  test("gets no more events of an unpublished story", async () => {
    await live.reopen({ pingIntervalMs: 1_000 });
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
      .values({ ...post, ...rest, publishedAt: 1, createdAt: 1, updatedAt: 1 })
      .execute();
    const tab = await live.connect();
    tab.say({ subscribe: ["post:a"] });
    await expect.poll(() => tab.received).toMatchObject([{ subscribed: ["post:a"] }]);
    await world.site.db.updateTable("posts").set({ status: "inactive" }).execute();
    await expect.poll(() => tab.received).toMatchObject([{ subscribed: ["post:a"] }, { refused: ["post:a"] }]);
  });

  test("gets a frame with each ping, which scripts don't see", async () => {
    await live.reopen({ pingIntervalMs: 1_000 });
    const tab = await live.connect();
    for (let count = 0; count < 2; count++) {
      const [frame] = await once(tab.socket, "message");
      expect(String(frame)).toBe(heartbeat);
    }
  });

  test("is closed if it answers no ping", async () => {
    await live.reopen({ pingIntervalMs: 1_000 });
    const tab = await live.connect();
    tab.socket.pause();
    await expect.poll(() => live.connections()).toBe(0);
    tab.socket.resume();
    expect(await tab.closed).toBe(1006);
  });

  test("gets a failed count with a later ping", async () => {
    await live.reopen({ pingIntervalMs: 1_000 });
    const tab = await live.connect(await live.cookieOf("maren"));
    const topic = ownTopic(world.maren.id);
    tab.say({ subscribe: [topic] });
    await expect.poll(() => tab.received.length).toBe(1);
    const counts = () => tab.received.filter((answer) => "broadcast" in answer && answer.broadcast.type === "unread");
    await sql`alter table notification_settings rename to away`.execute(world.site.db);
    await publishEvents(world.site, { topic, type: "notification.created", data: {} });
    await expect.poll(() => types(tab)).toEqual(["notification.created"]);
    // The count of one ping fails: the table is still missing.
    await new Promise((passed) => tab.socket.once("ping", passed));
    expect(counts()).toEqual([]);
    await sql`alter table away rename to notification_settings`.execute(world.site.db);
    await expect.poll(counts).toMatchObject([{ broadcast: { topic, data: { unread: 0, notifications: 0 } } }]);
  });

  test("is closed if it reads too slowly, without effect on others", async () => {
    await live.reopen({ maxBufferedBytes: 500_000 });
    const [slow, quick] = [await live.connect(), await live.connect()];
    for (const tab of [slow, quick]) {
      tab.say({ subscribe: ["posts"] });
      await expect.poll(() => tab.received.length).toBe(1);
    }
    slow.socket.pause();
    const data = { text: "x".repeat(200_000) };
    for (let i = 1; i <= 60; i++) {
      await publishEvents(world.site, { topic: "posts", type: `${i}`, data });
      await expect.poll(() => types(quick).length, { interval: 5 }).toBe(i);
    }
    await expect.poll(() => live.connections()).toBe(1);
  });
});
