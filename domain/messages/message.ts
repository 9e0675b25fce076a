import { megabyte } from "#platform/bytes.ts";
import { hours, minutes } from "#platform/time.ts";
import { fileUrl } from "../files/picture.ts";

/** Types, limits and texts of private messages; browser-safe (specification, messaging and administration). */

export type Attachment = {
  id: string;
  name: string;
  type: string;
  /** In bytes. */
  size: number;
  /** Width divided by height; null without a preview. */
  ratio: number | null;
};

export type Message = {
  id: string;
  number: number;
  sendId: string;
  senderId: string;
  message: string;
  isRead: boolean;
  /** In milliseconds. */
  createdAt: number;
  file: Attachment | null;
};

/** Oldest first. */
export type MessagePage = {
  messages: Message[];
  more: boolean;
  partnerRead: number;
  lastNumber: number;
};

export type ConversationSummary = {
  partner: Person;
  lastMessage: { senderId: string; preview: string; isFile: boolean; createdAt: number };
  unreadCount: number;
  muted: boolean;
};

/** `next` is the cursor of the following page, null on the last one. */
export type ConversationPage = { conversations: ConversationSummary[]; next: string | null };

export type Person = { id: string; name: string; profileImage: string | null };

/** `partners`: people with a conversation, latest first. */
export type FoundPeople = { partners: Person[]; others: Person[] };

/** A message with checked text and file, before it is saved. */
export type CheckedMessage = { senderId: string; receiverId: string; sendId: string; message: string; fileId: string | null };

/**
 * `from`: the id of the account it was written with. `sendId`: the sender's id for retries; the same one is the same message.
 */
export type NewMessage = { from?: string | undefined; to: string; text: string; sendId: string };

export type SentMessage = { id: string; number: number; createdAt: number };

export const messageMaxLength = 5000;
/** The time from the first unread message to its email. */
export const unreadEmailDelayMs = minutes(5);
export const chatPageSize = 100;
export const listPageSize = 20;
export const searchPageSize = 50;
/** Partners and others each, in a search by name. */
export const maxPeople = 20;

export const attachmentMaxBytes = 10 * megabyte;
/** For the file dialog; the server checks the bytes. */
export const attachmentAccept = "image/*,.pdf,.doc,.docx,.txt,.zip,.rar";

const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/** Allowed types (messaging and administration §5) by content, with their file name endings. */
export const attachmentTypes: Record<string, string[]> = {
  "image/jpeg": ["jpg", "jpeg", "jpe", "jfif"],
  "image/png": ["png"],
  "image/apng": ["png", "apng"],
  "image/gif": ["gif"],
  "image/webp": ["webp"],
  "image/avif": ["avif"],
  "image/heic": ["heic", "heif"],
  "image/bmp": ["bmp"],
  "image/tiff": ["tif", "tiff"],
  "application/pdf": ["pdf"],
  "application/msword": ["doc"],
  [docx]: ["docx"],
  "application/zip": ["zip"],
  "application/x-rar-compressed": ["rar"],
  "text/plain": ["txt"],
};

export function extensionOf(name: string): string {
  return /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

/** Decides by the name's extension, if it has one. */
export function mayBeAttached({ name }: { name: string }): boolean {
  const ending = extensionOf(name);
  return ending === "" || Object.values(attachmentTypes).some((endings) => endings.includes(ending));
}

/** Toasts and errors: those of messaging and administration §8, and others. */
export const messageTexts = {
  sendFailed: "Failed to send message",
  uploadFailed: "Failed to upload file",
  fileTooLarge: "File size must be less than 10MB",
  wrongType: "You can’t send this type of file. Pictures, PDF, Word, TXT, ZIP and RAR files work.",
  tooLong: `A message can’t be longer than ${messageMaxLength} characters`,
  emptyFile: "The file is empty",
  downloadFailed: "Failed to download file",
  deleteChatFailed: "Failed to delete chat",
  deleteFailed: "Failed to delete message",
  fileSent: "File sent successfully",
  chatDeleted: "Chat deleted successfully",
  messageDeleted: "Message deleted",
  themeChanged: (name: string) => `Theme changed to ${name}`,
  downloaded: (file: string) => `Downloaded ${file}`,
  someoneElse: "You’re signed in with another account",
  unblockFirst: "You’ve blocked this person. Unblock them to send a message.",
  turnedOff: "Messages are turned off on this site",
  tooFast: "You’re sending messages too quickly. Please wait a moment.",
  tooManyStrangers: "You’ve started a lot of conversations. Please wait before starting another.",
};

const previewLength = 50;

export function preview(text: string): string {
  const characters = Array.from(text.slice(0, 4 * previewLength).replace(/\s+/g, " "));
  return characters.length > previewLength ? `${characters.slice(0, previewLength).join("")}...` : characters.join("");
}

/** The time below 24 hours, the weekday below 168, then month and day (messaging and administration §2). */
export function listTime(time: number, now: number, timeZone?: string): string {
  const age = now - time;
  if (age < hours(24)) return clockTime(time, timeZone);
  const form: Intl.DateTimeFormatOptions = age < hours(168) ? { weekday: "short" } : { month: "short", day: "numeric" };
  return new Intl.DateTimeFormat("en-US", { ...form, timeZone }).format(time);
}

/** `9:41 AM` */
export function clockTime(time: number, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit", timeZone }).format(time).replace("\u202f", " ");
}

/** `Today`; `Thursday, November 19`; with the year if it isn't the current one. */
export function dayName(time: number, now: number, timeZone?: string): string {
  const key = (each: number) => new Intl.DateTimeFormat("en-CA", { dateStyle: "short", timeZone }).format(each);
  if (key(time) === key(now)) return "Today";
  const year = key(time).slice(0, 4) === key(now).slice(0, 4) ? {} : ({ year: "numeric" } as const);
  return new Intl.DateTimeFormat("en-US", { weekday: "long", month: "long", day: "numeric", ...year, timeZone }).format(time);
}

/** Both ids in the order of the conversation's row. */
export function memberPair(one: string, other: string): [string, string] {
  return one < other ? [one, other] : [other, one];
}

export function ownTopic(userId: string): string {
  return `user:${userId}`;
}

export function attachmentUrl({ id }: Attachment, download = false): string {
  return `${fileUrl(id)}${download ? "?download" : ""}`;
}
