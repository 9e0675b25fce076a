import type { LiveChange } from "./changes.ts";
import type { Message, NewMessage, SentMessage } from "./messages/message.ts";
import type { RefusalCode } from "./refusals.ts";

export type LiveRequest =
  | { subscribe: string[]; after?: string | undefined }
  | { unsubscribe: string[] }
  | { typing: string }
  | { send: NewMessage };

export type LiveResponse =
  | { subscribed: string[]; cursor: string }
  /** Empty with each ping, which scripts don't see. */
  | { refused: string[] }
  /** `message`: the event's message if the server has it cached. */
  | { event: LiveEvent; message?: Message }
  | { broadcast: LiveBroadcast }
  | { sent: SentMessage & { sendId: string } }
  | { unsent: { sendId: string; code: RefusalCode | "failed"; message: string } };

export type LiveEvent = (LiveChange | { topic: string; type: "gap"; data: Record<string, never> }) & { cursor: string };

/** `countedAt`: milliseconds by the database’s clock, to tell which of two counts is newer. */
export type UnreadCounts = { unread: number; notifications: number; countedAt: number };

export type LiveBroadcast = { topic: string; type: string; data: Record<string, string | number | boolean | null> };

export const livePath = "/live";

/** Close code after which a browser doesn't reconnect: the session has ended, or the browser violated the protocol. */
export const stopCode = 1008;
