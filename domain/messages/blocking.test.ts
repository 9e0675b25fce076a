import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Member } from "#domain/site.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { readCounters } from "../counters/counters.server.ts";
import { findDocument, listDocuments } from "../documents/documents.server.ts";
import { loadDocumentsUnchecked, mayReceive } from "../documents/live-documents.server.ts";
import { currentState, silentTopics } from "../live.server.ts";
import { readShellCounts } from "../pages/shell.server.ts";
import { findSubject } from "../reports/report-subjects.server.ts";
import { listAllMessages, readMessage } from "./admin-messages.server.ts";
import { setBlocked } from "./blocking.server.ts";
import { findPartner, readMessages, searchMessages } from "./chat.server.ts";
import { listConversations } from "./conversations.server.ts";
import { deleteChat, deleteMessage } from "./deleting.server.ts";
import { sendMessageEmails } from "./message-emails.server.ts";
import { sendMessage } from "./messages.server.ts";
import { markConversationRead } from "./reading.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

let sends = 0;
const say = (from: Member, to: Member, text: string) => sendMessage(world.site, from, { to: to.id, text, sendId: `b${sends++}` });
const texts = async (viewer: Member, partner: Member) =>
  (await readMessages(world.site, viewer, partner.id)).messages.map(({ message }) => message);
const list = async (viewer: Member) => (await listConversations(world.site, viewer)).conversations;

describe("a blocked person's message", () => {
  test("looks sent to them and never arrives, also after unblocking", async () => {
    const { site, maren, tobias } = world;
    await say(tobias, maren, "before");
    await setBlocked(site, maren, tobias.id, true);
    await expect(say(maren, tobias, "me neither")).rejects.toMatchObject({ code: "conflict" });
    const { number } = await say(tobias, maren, "withheld");
    expect(number).toBe(2);
    expect(await texts(tobias, maren)).toEqual(["before", "withheld"]);
    expect((await searchMessages(site, tobias, maren.id, { text: "withheld" })).messages).toHaveLength(1);
    expect(await list(tobias)).toMatchObject([{ lastMessage: { preview: "withheld" } }]);
    expect(await findPartner(site, tobias, maren.id)).toMatchObject({ blocked: false });
    expect(await findPartner(site, maren, tobias.id)).toMatchObject({ blocked: true });

    expect(await texts(maren, tobias)).toEqual(["before"]);
    expect((await searchMessages(site, maren, tobias.id, { text: "withheld" })).messages).toEqual([]);
    expect(await list(maren)).toMatchObject([{ lastMessage: { preview: "before" }, unreadCount: 1 }]);
    expect((await readShellCounts(site, maren)).unread).toBe(1);
    await setBlocked(site, maren, tobias.id, false);
    await say(tobias, maren, "after");
    expect(await texts(maren, tobias)).toEqual(["before", "after"]);
    expect(await texts(tobias, maren)).toEqual(["before", "withheld", "after"]);
  });

  test("needs a person who exists", async () => {
    for (const blocked of [true, false])
      await expect(setBlocked(world.site, world.maren, "nobody", blocked)).rejects.toMatchObject({ code: "not-found" });
  });

  test("starts no conversation on the other side", async () => {
    const { site, maren, tobias } = world;
    await setBlocked(site, maren, tobias.id, true);
    await say(tobias, maren, "hello?");
    expect([await list(maren), (await readShellCounts(site, maren)).unread]).toEqual([[], 0]);
    world.clock.advance(600_000);
    expect(await sendMessageEmails(site)).toBe(0);
    expect((await list(tobias)).map(({ partner }) => partner.id)).toEqual([maren.id]);
  });

  test("looks read once a later message is read, and isn't counted", async () => {
    const { site, maren, tobias } = world;
    await say(tobias, maren, "one");
    await setBlocked(site, maren, tobias.id, true);
    await say(tobias, maren, "two");
    await markConversationRead(site, maren, tobias.id);
    expect((await readMessages(site, tobias, maren.id)).partnerRead).toBe(1);
    await setBlocked(site, maren, tobias.id, false);
    await say(tobias, maren, "three");
    expect((await readShellCounts(site, maren)).unread).toBe(1);
    await markConversationRead(site, maren, tobias.id);
    expect((await readShellCounts(site, maren)).unread).toBe(0);
    const { messages } = await readMessages(site, tobias, maren.id);
    expect(messages.map(({ isRead }) => isRead)).toEqual([true, true, true]);
    expect(await readCounters(site)).toMatchObject({ messages: 2, unread: 0 });
  });

  test("is hidden from staff, reports, API clients and events", async () => {
    const { site, maren, tobias, ruth } = world;
    await setBlocked(site, maren, tobias.id, true);
    const { id } = await say(tobias, maren, "withheld");
    const all = { filters: [], orders: [], limit: 10, offset: 0, counted: true };
    expect(await listDocuments(site, tobias, "messages", all)).toMatchObject({ total: 1, documents: [{ attributes: { isRead: false } }] });
    expect(await listDocuments(site, maren, "messages", all)).toMatchObject({ total: 0 });
    await expect(findDocument(site, maren, "messages", id)).rejects.toMatchObject({ code: "not-found" });
    const [document] = await loadDocumentsUnchecked(site, "messages", [id]);
    expect([tobias, maren, ruth].map((viewer) => document && mayReceive(viewer, "messages", document))).toEqual([true, false, false]);
    await expect(findSubject(site, maren, { kind: "message", subjectId: id })).rejects.toMatchObject({ code: "not-found" });
    const admin = { ...ruth, isReauthenticated: true };
    const page = { search: "", userId: "", sort: "newest" as const, page: 1, limit: 10 };
    expect((await listAllMessages(site, admin, page)).messages).toEqual([]);
    expect((await listAllMessages(site, admin, { ...page, search: "withheld" })).messages).toEqual([]);
    await expect(readMessage(site, admin, id)).rejects.toMatchObject({ code: "not-found" });
    await expect(deleteMessage(site, maren, id)).rejects.toMatchObject({ code: "not-found" });
  });

  test("causes no event for the other person", async () => {
    const { site, maren, tobias } = world;
    await setBlocked(site, maren, tobias.id, true);
    const before = await site.db.selectFrom("events").select("number").where("topic", "=", `user:${maren.id}`).execute();
    const { id } = await say(tobias, maren, "withheld");
    await deleteMessage(site, tobias, id);
    expect(await site.db.selectFrom("events").select("number").where("topic", "=", `user:${maren.id}`).execute()).toEqual(before);
    expect(await texts(tobias, maren)).toEqual([]);
  });

  test("leaves both lists correct when messages are deleted", async () => {
    const { site, maren, tobias } = world;
    const first = await say(tobias, maren, "one");
    await say(maren, tobias, "two");
    await setBlocked(site, maren, tobias.id, true);
    const last = await say(tobias, maren, "withheld");
    await deleteMessage(site, tobias, first.id);
    expect([(await list(maren))[0]?.lastMessage.preview, (await list(tobias))[0]?.lastMessage.preview]).toEqual(["two", "withheld"]);
    await deleteMessage(site, tobias, last.id);
    expect((await list(tobias))[0]?.lastMessage.preview).toBe("two");
    await say(tobias, maren, "withheld too");
    await deleteChat(site, maren, tobias.id);
    expect([await list(maren), await list(tobias)]).toEqual([[], []]);
    expect(await readCounters(site)).toMatchObject({ messages: 0, unread: 0 });
  });

  test("is deleted with their account", async () => {
    const { site, maren, tobias } = world;
    await setBlocked(site, maren, tobias.id, true);
    await say(tobias, maren, "withheld");
    await site.db.deleteFrom("users").where("id", "=", tobias.id).execute();
    expect(await site.db.selectFrom("messages").select("id").execute()).toEqual([]);
    expect(await readCounters(site)).toMatchObject({ messages: 0 });
  });
});

test("a blocked person may subscribe to the other's presence and sees them offline", async () => {
  const { site, maren, tobias } = world;
  await say(tobias, maren, "Hello");
  const topic = `presence:${maren.id}`;
  const goOffline = site.presence.enter(maren.id);
  expect(await silentTopics(site, tobias, [topic])).toEqual(new Set());
  expect(currentState(site, topic, false)?.type).toBe("online");
  await setBlocked(site, maren, tobias.id, true);
  expect(await silentTopics(site, tobias, [topic])).toEqual(new Set([topic]));
  expect(currentState(site, topic, true)?.type).toBe("offline");
  goOffline();
});
