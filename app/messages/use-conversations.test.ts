import { expect, test } from "vitest";
import type { ConversationPage, Message } from "#domain/messages/message.ts";
import { applyMessage, applyReading, findDisplaced } from "./use-conversations.ts";

const conversation = (id: string, createdAt: number) => ({
  partner: { id, name: id, profileImage: null },
  lastMessage: { senderId: id, preview: "before", isFile: true, createdAt },
  unreadCount: 0,
  muted: true,
});
const page: ConversationPage = { conversations: [conversation("ana", 20), conversation("ben", 10)], next: "x" };
const message = (createdAt: number): Message => ({
  ...{ id: "m", number: 3, sendId: "s", senderId: "ben", message: "now", isRead: false, createdAt, file: null },
});
const created = { id: "m", partnerId: "ben", number: 3, own: false, unread: 2 };

test("a message moves its conversation to the top, with text and unread count", () => {
  expect(applyMessage(page, created, message(30))).toEqual({
    conversations: [
      { ...conversation("ben", 30), unreadCount: 2, lastMessage: { senderId: "ben", preview: "now", isFile: false, createdAt: 30 } },
      conversation("ana", 20),
    ],
    next: "x",
  });
});

test("the list is fetched if the message is missing or older than the shown one, or the partner is new", () => {
  expect(applyMessage(page, created)).toBeUndefined();
  expect(applyMessage(page, created, message(5))).toBeUndefined();
  expect(applyMessage(page, { ...created, partnerId: "cleo" }, message(30))).toBeUndefined();
});

test("conversations that newer ones move out of the first page stay in front of the next page", () => {
  const after = { conversations: [conversation("cleo", 30), conversation("ana", 20)], next: "y" };
  expect(findDisplaced(page, after)).toEqual({ conversations: [conversation("ben", 10)], next: "x" });
  expect(findDisplaced(page, { ...page, conversations: [conversation("ben", 40), conversation("ana", 20)] }).conversations).toEqual([]);
});

test("a conversation that is gone from the first page isn't kept", () => {
  expect(findDisplaced(page, { conversations: [conversation("ben", 10)], next: null }).conversations).toEqual([]);
  expect(findDisplaced(page, { conversations: [], next: null }).conversations).toEqual([]);
});

test("own reading updates the unread count, the partner's changes nothing", () => {
  const unread = (pages: ConversationPage) => pages.conversations.map(({ unreadCount }) => unreadCount);
  const waiting = { ...page, conversations: page.conversations.map((each) => ({ ...each, unreadCount: 5 })) };
  expect(unread(applyReading(waiting, { partnerId: "ben", number: 3, own: true, unread: 1 }))).toEqual([5, 1]);
  expect(unread(applyReading(waiting, { partnerId: "ben", number: 3, own: false }))).toEqual([5, 5]);
});
