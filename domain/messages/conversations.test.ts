import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Member } from "#domain/site.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { readShellCounts } from "../pages/shell.server.ts";
import { setMuted } from "./blocking.server.ts";
import { findPartner, readMessages, searchMessages } from "./chat.server.ts";
import { listConversations } from "./conversations.server.ts";
import { deleteChat, deleteMessage } from "./deleting.server.ts";
import { messagesPerMinute, newPartnersPerHour, sendMessage } from "./messages.server.ts";
import { markConversationRead } from "./reading.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

let sends = 0;
/** A minute apart, to stay below the limits. */
async function say(from: Member, to: Member, text: string) {
  world.clock.advance(61_000);
  return sendMessage(world.site, from, { to: to.id, text, sendId: `s${sends++}` });
}
const list = async (viewer: Member) => (await listConversations(world.site, viewer)).conversations;
const texts = async (viewer: Member, partner: Member) =>
  (await readMessages(world.site, viewer, partner.id)).messages.map(({ message }) => message);

describe("the list of conversations", () => {
  test("shows each partner once with the last message and unread count, newest first", async () => {
    const { maren, tobias, ruth } = world;
    await say(maren, tobias, "Hello");
    await say(ruth, maren, "Welcome");
    await say(tobias, maren, "Is the ferry running?");
    await say(tobias, maren, "It is.");
    expect(await list(maren)).toMatchObject([
      { partner: { id: tobias.id, name: tobias.name }, lastMessage: { senderId: tobias.id, preview: "It is." }, unreadCount: 2 },
      { partner: { id: ruth.id }, lastMessage: { preview: "Welcome" }, unreadCount: 1 },
    ]);
    expect(await list(tobias)).toMatchObject([{ partner: { id: maren.id }, unreadCount: 1 }]);
    expect((await readShellCounts(world.site, maren)).unread).toBe(3);
    expect((await readShellCounts(world.site, null)).unread).toBe(0);
  });

  test("cuts the preview at 50 characters and an ellipsis", async () => {
    await say(world.maren, world.tobias, "x".repeat(50));
    expect((await list(world.tobias))[0]?.lastMessage.preview).toBe("x".repeat(50));
    await say(world.maren, world.tobias, `${"😀".repeat(50)}y`);
    expect((await list(world.tobias))[0]?.lastMessage.preview).toBe(`${"😀".repeat(50)}...`);
  });

  test("pages by twenty, each partner once", async () => {
    const people = [];
    for (let index = 0; index < 45; index++) people.push(await addMember(world, `Writer ${index}`, { id: `w${index}` }));
    for (const person of people) await say(person, world.maren, "Hello");
    const seen: string[] = [];
    let after: string | null = null;
    const sizes: number[] = [];
    do {
      const page = await listConversations(world.site, world.maren, after);
      sizes.push(page.conversations.length);
      seen.push(...page.conversations.map(({ partner }) => partner.id));
      after = page.next;
    } while (after);
    expect(sizes).toEqual([20, 20, 5]);
    expect(seen).toEqual(people.map(({ id }) => id).reverse());
    expect((await listConversations(world.site, world.maren, "made up")).conversations).toHaveLength(20);
  });

  test("requires a session", async () => {
    await expect(listConversations(world.site, null)).rejects.toMatchObject({ code: "sign-in-required" });
  });
});

describe("a chat", () => {
  beforeEach(async () => {
    const { maren, tobias } = world;
    for (let number = 1; number <= 7; number++) await say(number % 2 ? maren : tobias, number % 2 ? tobias : maren, `${number}`);
  });

  test("is read oldest first: the newest page, and messages before or after a number", async () => {
    const { site, maren, tobias } = world;
    const numbers = async (range: Parameters<typeof readMessages>[3]) => {
      const page = await readMessages(site, maren, tobias.id, range);
      return [page.messages.map(({ number }) => number), page.more];
    };
    expect(await numbers({ limit: 3 })).toEqual([[5, 6, 7], true]);
    expect(await numbers({ limit: 3, before: 5 })).toEqual([[2, 3, 4], true]);
    expect(await numbers({ limit: 3, before: 2 })).toEqual([[1], false]);
    expect(await numbers({ limit: 3, after: 0 })).toEqual([[1, 2, 3], true]);
    expect(await numbers({ limit: 3, after: 4 })).toEqual([[5, 6, 7], false]);
    expect(await numbers({ limit: 3, after: 7 })).toEqual([[], false]);
  });

  test("is empty before the first message, and not found for an unknown person", async () => {
    const { site, maren, ruth } = world;
    expect(await readMessages(site, maren, ruth.id)).toEqual({ messages: [], more: false, partnerRead: 0, lastNumber: 0 });
    expect(await findPartner(site, maren, ruth.id)).toMatchObject({ name: ruth.name, blocked: false, muted: false });
    await expect(findPartner(site, maren, "nobody")).rejects.toMatchObject({ code: "not-found" });
  });

  test("is searched backwards from a number, ignoring case", async () => {
    const { site, maren, tobias } = world;
    await say(maren, tobias, "The ÉCLAIR is gone");
    await say(tobias, maren, "Which éclair?");
    const search = async (text: string, before?: number) => {
      const { messages, next } = await searchMessages(site, maren, tobias.id, { text, before });
      return [messages.map(({ number }) => number), next];
    };
    expect(await search("éclair")).toEqual([[8, 9], null]);
    expect(await search("Éclair", 9)).toEqual([[8], null]);
    expect(await search("%")).toEqual([[], null]);
    expect(await search("  ")).toEqual([[], null]);
  });

  test("is searched completely in parts if it is long", async () => {
    const { site, maren, tobias } = world;
    const { id } = await site.db.selectFrom("conversations").select("id").executeTakeFirstOrThrow();
    const rows = Array.from({ length: 60 }, (_, index) => ({
      ...{ id: `x${index}`, conversationId: id, number: 8 + index * 400, sendId: `x${index}`, senderId: maren.id, receiverId: tobias.id },
      ...{ message: "needle", folded: "needle", isRead: true, fileId: null, createdAt: 1 },
    }));
    await site.db.insertInto("messages").values(rows).execute();
    await site.db.updateTable("conversations").set({ lastNumber: 24_000 }).execute();
    await site.db.updateTable("participants").set({ lastNumber: 24_000 }).execute();
    const found: number[] = [];
    let before: number | undefined;
    for (let requests = 0; before !== 0 && requests < 25; requests++) {
      const page = await searchMessages(site, maren, tobias.id, { text: "needle", before });
      expect(page.messages.length).toBeLessThanOrEqual(3);
      found.unshift(...page.messages.map(({ number }) => number));
      before = page.next ?? 0;
    }
    expect(found).toEqual(rows.map(({ number }) => number));
  });
});

describe("reading", () => {
  test("marks messages up to a number, counts exactly, and never decreases", async () => {
    const { site, maren, tobias } = world;
    for (let number = 1; number <= 5; number++) await say(maren, tobias, `${number}`);
    await markConversationRead(site, tobias, maren.id, 3);
    expect((await readShellCounts(site, tobias)).unread).toBe(2);
    expect((await readMessages(site, maren, tobias.id)).partnerRead).toBe(3);
    await markConversationRead(site, tobias, maren.id, 1);
    expect((await readMessages(site, maren, tobias.id)).partnerRead).toBe(3);
    await markConversationRead(site, tobias, maren.id, 9_999);
    expect((await readMessages(site, maren, tobias.id)).partnerRead).toBe(5);
    expect((await readShellCounts(site, tobias)).unread).toBe(0);
    await say(maren, tobias, "6");
    expect((await readShellCounts(site, tobias)).unread).toBe(1);
  });

  test("keeps counts exact during concurrent sends", async () => {
    const { site, maren, tobias } = world;
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 2
          ? markConversationRead(site, tobias, maren.id)
          : sendMessage(site, maren, { to: tobias.id, text: "Hello", sendId: `c${index}` }),
      ),
    );
    const [side] = await list(tobias);
    const unread = (await readMessages(site, tobias, maren.id)).messages.filter(({ isRead }) => !isRead).length;
    expect(side?.unreadCount).toBe(unread);
    await markConversationRead(site, tobias, maren.id);
    expect((await readShellCounts(site, tobias)).unread).toBe(0);
  });
});

describe("deleting", () => {
  test("a message is deleted for both by either person, and the list shows the previous one", async () => {
    const { site, maren, tobias } = world;
    await say(maren, tobias, "first");
    const second = await say(maren, tobias, "second");
    await deleteMessage(site, tobias, second.id);
    expect(await texts(maren, tobias)).toEqual(["first"]);
    expect(await list(tobias)).toMatchObject([{ lastMessage: { preview: "first" }, unreadCount: 1 }]);
    await deleteMessage(site, tobias, second.id);
    await say(maren, tobias, "third");
    expect((await readMessages(site, maren, tobias.id)).messages.map(({ number }) => number)).toEqual([1, 3]);
  });

  test("is allowed for both and administrators, and not found for others", async () => {
    const { site, maren, tobias, ruth } = world;
    const stranger = await addMember(world, "Una Stranger");
    const [one, two] = [await say(maren, tobias, "one"), await say(maren, tobias, "two")];
    await expect(deleteMessage(site, stranger, one.id)).rejects.toMatchObject({ code: "not-found" });
    await expect(deleteMessage(site, null, one.id)).rejects.toMatchObject({ code: "sign-in-required" });
    await deleteMessage(site, ruth, one.id);
    await deleteMessage(site, maren, two.id);
    await expect(deleteMessage(site, stranger, two.id)).rejects.toMatchObject({ code: "not-found" });
    expect(await texts(maren, tobias)).toEqual([]);
    expect(await list(maren)).toEqual([]);
  });

  test("a retry after the deletion does not restore the message", async () => {
    const { site, maren, tobias } = world;
    const message = { to: tobias.id, text: "Hello", sendId: "once" };
    const sent = await sendMessage(site, maren, message);
    await deleteMessage(site, tobias, sent.id);
    expect(await sendMessage(site, maren, message)).toEqual(sent);
    expect(await texts(tobias, maren)).toEqual([]);
  });

  test("a chat is deleted for both, and later messages stay", async () => {
    const { site, maren, tobias, ruth } = world;
    for (let index = 0; index < 5; index++) await say(index % 2 ? maren : tobias, index % 2 ? tobias : maren, `${index}`);
    await say(maren, ruth, "another");
    await deleteChat(site, maren, tobias.id);
    expect([await texts(maren, tobias), await list(tobias), (await readShellCounts(site, tobias)).unread]).toEqual([[], [], 0]);
    expect(await texts(maren, ruth)).toEqual(["another"]);
    await say(tobias, maren, "again");
    expect(await list(maren)).toMatchObject([{ lastMessage: { preview: "again" }, unreadCount: 1 }, { partner: { id: ruth.id } }]);
  });

  test("a chat of thousands is deleted in batches", async () => {
    const { site, maren, tobias } = world;
    await say(maren, tobias, "first");
    const { id } = await site.db.selectFrom("conversations").select("id").executeTakeFirstOrThrow();
    const row = (number: number) => ({
      ...{ id: `x${number}`, conversationId: id, number, sendId: `x${number}`, senderId: maren.id, receiverId: tobias.id, message: "x" },
      ...{ isRead: true, fileId: null, createdAt: number },
    });
    for (let start = 2; start <= 2_402; start += 800)
      await site.db
        .insertInto("messages")
        .values(Array.from({ length: 800 }, (_, index) => row(start + index)))
        .execute();
    await site.db.updateTable("conversations").set({ lastNumber: 3_201 }).execute();
    await deleteChat(site, tobias, maren.id);
    expect([await texts(maren, tobias), await list(maren), await list(tobias)]).toEqual([[], [], []]);
  });
});

describe("consent", () => {
  test("a muted conversation receives messages and counts in no badge", async () => {
    const { site, maren, tobias } = world;
    await say(tobias, maren, "one");
    await setMuted(site, maren, tobias.id, true);
    await say(tobias, maren, "two");
    expect((await readShellCounts(site, maren)).unread).toBe(0);
    expect(await list(maren)).toMatchObject([{ unreadCount: 2, muted: true }]);
    await setMuted(site, maren, tobias.id, false);
    expect((await readShellCounts(site, maren)).unread).toBe(2);
    await expect(setMuted(site, maren, world.ruth.id, true)).rejects.toMatchObject({ code: "not-found" });
  });

  test("a flood is refused, retries aren't", async () => {
    const { site, maren, tobias } = world;
    const send = (sendId: string) => sendMessage(site, maren, { to: tobias.id, text: "Hello", sendId });
    for (let index = 0; index < messagesPerMinute; index++) await send(`f${index}`);
    await expect(send("one more")).rejects.toMatchObject({ code: "too-many" });
    await send("f3");
    world.clock.advance(60_001);
    await send("one more");
  });

  test("messages to many new people are refused, to partners not", async () => {
    const { site, maren, tobias } = world;
    await say(maren, tobias, "Hello");
    for (let index = 1; index < newPartnersPerHour; index++) {
      const stranger = await addMember(world, `Stranger ${index}`, { id: `q${index}` });
      await sendMessage(site, maren, { to: stranger.id, text: "Hello", sendId: `q${index}` });
    }
    const last = await addMember(world, "Last Stranger");
    await expect(sendMessage(site, maren, { to: last.id, text: "Hello", sendId: "last" })).rejects.toMatchObject({ code: "too-many" });
    world.clock.advance(61_000);
    await say(maren, tobias, "Still here");
  });

  test("sending is refused while messages are turned off", async () => {
    const { site, maren, tobias } = world;
    const off = { ...site, settings: { ...site.settings, enableMessages: false } };
    await expect(sendMessage(off, maren, { to: tobias.id, text: "Hello", sendId: "1" })).rejects.toMatchObject({ code: "not-allowed" });
  });
});
