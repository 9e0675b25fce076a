import type { LiveChange } from "#domain/changes.ts";
import { type ConversationPage, type Message, preview } from "#domain/messages/message.ts";

type MessageCreated = Extract<LiveChange, { type: "message.created" }>["data"];

/** The list's first page after a message; undefined where it has to be asked for: someone new, or a message that is not at hand. */
export function applyMessage(
  page: ConversationPage,
  { partnerId, unread }: MessageCreated,
  message?: Message,
): ConversationPage | undefined {
  const before = page.conversations.find(({ partner }) => partner.id === partnerId);
  if (!before || !message || message.createdAt < before.lastMessage.createdAt) return undefined;
  const { senderId, message: text, createdAt, file } = message;
  const after = { ...before, unreadCount: unread, lastMessage: { senderId, preview: preview(text), isFile: file !== null, createdAt } };
  return { ...page, conversations: [after, ...page.conversations.filter((each) => each !== before)] };
}

type ConversationRead = Extract<LiveChange, { type: "conversation.read" }>["data"];

/** The list's page after someone has read: only one's own reading shows in it. */
export function applyReading(page: ConversationPage, read: ConversationRead): ConversationPage {
  if (!read.own) return page;
  const { partnerId, unread } = read;
  return {
    ...page,
    conversations: page.conversations.map((each) => (each.partner.id === partnerId ? { ...each, unreadCount: unread } : each)),
  };
}
