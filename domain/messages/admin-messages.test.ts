import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { listAudit } from "../audit/audit.server.ts";
import type { Member } from "../site.ts";
import { listAllMessages, type MessageQuery, readMessage } from "./admin-messages.server.ts";
import { messageSorts } from "./admin-messages.ts";
import { deleteMessage } from "./deleting.server.ts";
import { sendMessage } from "./messages.server.ts";
import { markConversationRead } from "./reading.server.ts";

const limit = 4;

describe("the administrators' list of messages", () => {
  let world: World;
  let ines: Member;
  let sent: { id: string; from: string; to: string }[];
  beforeAll(async () => {
    world = await openWorld();
    ines = await addMember(world, "Ines Carvalho");
    await addMember(world, "Never Wrote");
    const { site, maren, tobias } = world;
    sent = [];
    const pairs = [
      [maren, tobias],
      [tobias, maren],
      [maren, ines],
    ] as const;
    for (let i = 0; i < 23; i++) {
      const [from, to] = pairs[i % 3] as (typeof pairs)[number];
      // Some with equal times.
      if (i % 4) world.clock.advance(1000);
      const id = (await sendMessage(site, from, { to: to.id, text: i % 5 ? `Letter ${i}` : `Crème BRÛLÉE 100% ${i}`, sendId: String(i) }))
        .id;
      sent.push({ id, from: from.id, to: to.id });
    }
    await markConversationRead(site, ines, maren.id);
  });
  afterAll(() => world.close());

  const list = (chosen: Partial<MessageQuery>) =>
    listAllMessages(world.site, world.ruth, { search: "", userId: "", sort: "newest", limit, page: 1, ...chosen });

  test.each(messageSorts.flatMap((sort) => [["everybody", sort] as const, ["one member", sort] as const]))(
    "of %s, %s first: pages have the same order in both directions",
    async (whose, sort) => {
      const userId = whose === "everybody" ? "" : world.tobias.id;
      const all = (await list({ userId, sort, limit: 100 })).messages;
      const own = sent.filter(({ from, to }) => userId === "" || from === userId || to === userId);
      expect(all.map(({ id }) => id).toSorted()).toEqual(own.map(({ id }) => id).toSorted());
      const times = all.map(({ createdAt }) => (sort === "newest" ? -createdAt : createdAt));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      const pages = Array.from({ length: Math.ceil(all.length / limit) }, (_, index) => all.slice(index * limit, (index + 1) * limit));
      for (const [from, start] of pages.entries())
        for (const [to, expected] of pages.entries()) {
          expect((await list({ userId, sort, page: to + 1 })).messages).toEqual(expected);
          const anchor = { id: start[0]?.id ?? "", page: from + 1 };
          expect((await list({ userId, sort, page: to + 1, anchor })).messages).toEqual(expected);
        }
    },
  );

  test("the cards count all filtered messages", async () => {
    expect((await list({})).counts).toEqual({ total: 23, read: 7, unread: 16, people: 3 });
    expect((await list({ userId: ines.id })).counts).toEqual({ total: 7, read: 7, unread: 0, people: 2 });
    expect((await list({ userId: world.tobias.id })).counts).toEqual({ total: 16, read: 0, unread: 16, people: 2 });
    expect((await list({ userId: world.salma.id })).counts).toEqual({ total: 0, read: 0, unread: 0, people: 0 });
    expect((await list({ search: "brûlée" })).counts).toEqual({ total: 5, read: 2, unread: 3, people: 3 });
    expect((await list({ search: "100%", userId: ines.id })).counts.total).toBe(2);
    expect((await list({ search: "_" })).counts.total).toBe(0);
  });

  test("rows show an excerpt, details the whole text; viewing (once per reload) and deleting are logged", async () => {
    const { site, maren, tobias, ruth } = world;
    world.clock.advance(1000);
    const text = `A long letter. ${"And more of it. ".repeat(20)}`.trim();
    const id = (await sendMessage(site, maren, { to: tobias.id, text, sendId: "long" })).id;
    expect((await list({})).messages[0]).toMatchObject({
      id,
      text: expect.stringMatching(/^A long letter\. .{80,105}\w\.\.\.$/),
      isRead: false,
    });
    expect(await readMessage(site, ruth, id)).toMatchObject({
      text,
      senderName: "Maren Oduya",
      receiverName: "Tobias Lindqvist",
      file: null,
    });
    await readMessage(site, ruth, id);
    world.clock.advance(60_000);
    await readMessage(site, ruth, id);
    await deleteMessage(site, ruth, id);
    await expect(readMessage(site, ruth, id)).rejects.toMatchObject({ code: "not-found" });
    const { entries } = await listAudit(site, ruth, { limit: 10, subject: `message:${id}` });
    expect(entries.map(({ action }) => action)).toEqual(["message.deleted", "message.viewed", "message.viewed"]);
    expect(JSON.stringify(entries)).not.toContain("A long letter");
    const own = (await sendMessage(site, maren, { to: tobias.id, text: "Mine", sendId: "own" })).id;
    await deleteMessage(site, tobias, own);
    expect((await listAudit(site, ruth, { limit: 10, subject: `message:${own}` })).entries).toEqual([]);
    expect((await list({})).counts).toEqual({ total: 23, read: 7, unread: 16, people: 3 });
  });

  test("only administrators may use it", async () => {
    const listing: MessageQuery = { search: "", userId: "", sort: "newest", limit, page: 1 };
    await expect(listAllMessages(world.site, world.maren, listing)).rejects.toMatchObject({ code: "not-allowed" });
    await expect(listAllMessages(world.site, null, listing)).rejects.toMatchObject({ code: "sign-in-required" });
    await expect(readMessage(world.site, world.maren, sent[0]?.id ?? "")).rejects.toMatchObject({ code: "not-allowed" });
  });
});
