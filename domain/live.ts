import type { LiveChange } from "./changes.ts";
import type { Message, SentMessage } from "./messages/message.ts";
import type { RefusalCode } from "./refusals.ts";

export type LiveRequest =
  | { subscribe: string[]; after?: string | undefined }
  | { unsubscribe: string[] }
  | { typing: string }
  | { send: { to: string; text: string; sendId: string } };

export type LiveAnswer =
  | { subscribed: string[]; cursor: string }
  | { refused: string[] }
  /** `message`: the one that the event is about, where the server has it at hand. */
  | { event: LiveEvent; message?: Message }
  | { broadcast: LiveBroadcast }
  | { sent: SentMessage & { sendId: string } }
  | { unsent: { sendId: string; code: RefusalCode | "failed"; message: string } };

export type LiveEvent = (LiveChange | { topic: string; type: "gap"; data: Record<string, never> }) & { cursor: string };

/** `countedAt`: milliseconds by the database’s clock, which tells the newer of two counts. */
export type UnreadCounts = { unread: number; notifications: number; countedAt: number };

export type LiveBroadcast = { topic: string; type: string; data: Record<string, string | number | boolean | null> };

export const livePath = "/live";

/** Closed with this code, a browser does not come back by itself: its session has ended, or it broke the rules. */
export const stopCode = 1008;
