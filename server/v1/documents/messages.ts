import { z } from "zod";
import { findDocument } from "#domain/documents/documents.server.ts";
import { readOwnFile, releaseOwnFile } from "#domain/files/api-files.server.ts";
import { sendAttachment } from "#domain/messages/attachments.server.ts";
import { deleteMessage } from "#domain/messages/deleting.server.ts";
import { messageMaxLength } from "#domain/messages/message.ts";
import { findSent, sendMessage } from "#domain/messages/messages.server.ts";
import { markConversationRead } from "#domain/messages/reading.server.ts";
import { newId } from "#platform/ids.ts";
import { texts } from "../params.ts";
import { requireSelf, text, textOrNull, writer } from "./collection-writer.ts";

export const messageWriter = writer({
  collection: "messages",
  attributes: {
    senderId: text,
    receiverId: text,
    message: text.describe("Missing in realtime delete events."),
    conversationId: text,
    number: z.int().describe("Counts the messages of the conversation."),
    isRead: z.boolean(),
    fileId: textOrNull,
    fileName: textOrNull,
    fileSize: z.int().nullable(),
    fileType: textOrNull,
  },
  create: {
    data: z.strictObject({
      receiverId: z.string().min(1).max(36),
      message: z.string().max(messageMaxLength).default(""),
      senderId: z.string().nullish(),
      isRead: z.literal(false).optional(),
      fileId: z.string().nullish().describe("The id of one of your files. The message gets its own copy, visible to the two people."),
      fileName: z.string().nullish().describe("Ignored, like size and type: they come from the file."),
      fileSize: z.number().nullish(),
      fileType: z.string().nullish(),
    }),
    async run({ site, ...call }, id, { receiverId: to, message: text, senderId, fileId }) {
      const viewer = requireSelf({ site, ...call }, senderId);
      const sendId = id ?? newId(site.now());
      if (!fileId) return (await sendMessage(site, viewer, { to, text, sendId })).id;
      // The upload is gone after the first send.
      const earlier = await findSent(site, viewer, { to, sendId });
      if (earlier) return earlier.id;
      const sent = await sendAttachment(site, viewer, { to, text, sendId, upload: await readOwnFile(site, viewer, fileId) });
      await releaseOwnFile(site, viewer, fileId);
      return sent.id;
    },
  },
  update: {
    data: z.strictObject({ isRead: z.literal(true) }),
    async run(call, id) {
      const { attributes } = await findDocument(call.site, call.viewer, "messages", id);
      const viewer = requireSelf(call, String(attributes.receiverId));
      await markConversationRead(call.site, viewer, String(attributes.senderId), Number(attributes.number));
    },
  },
  removeAnyPermission: "delete a message",
  remove: (call, id) => deleteMessage(call.site, call.viewer, id),
});

export const conversationWriter = writer({
  collection: "conversations",
  attributes: {
    ...texts("partnerId", "partnerName", "lastMessageId", "lastMessage", "lastSenderId"),
    unreadCount: z.int(),
    muted: z.boolean(),
  },
});
