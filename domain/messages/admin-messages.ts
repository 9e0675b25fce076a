/** Messages as administrators see them (messaging and administration §2, Messages Management); browser-safe. */
export type AdminMessage = {
  id: string;
  senderId: string;
  /** Null for a deleted profile. */
  senderName: string | null;
  receiverId: string;
  receiverName: string | null;
  text: string;
  fileName: string | null;
  isRead: boolean;
  createdAt: number;
};

/** `text` is complete; `size` in bytes. */
export type AdminMessageDetails = AdminMessage & {
  conversationId: string;
  number: number;
  file: { id: string; name: string; size: number; type: string } | null;
};

export type MessageCounts = { total: number; read: number; unread: number; people: number };

export const messageSorts = ["newest", "oldest"] as const;
export type MessageSort = (typeof messageSorts)[number];

export const adminMessageTexts = {
  refreshed: "Messages refreshed",
  deleted: "Message deleted",
  deleteFailed: "Failed to delete message",
  question: "Delete this message permanently?",
  consequence: "This deletes it and its file for both people. It can’t be undone.",
};
