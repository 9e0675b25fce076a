import type { LiveChange } from "./changes.ts";
import type { Message, SentMessage } from "./messages/message.ts";
import type { RefusalCode } from "./refusals.ts";

/** What goes over the live socket, in JSON, one message per frame. */
export type LiveRequest =
  /** Authorised topic by topic. `after` is the last cursor that was heard on them. */
  | { subscribe: string[]; after?: string | undefined }
  | { unsubscribe: string[] }
  /** To a person whom one writes to just now. */
  | { typing: string }
  | { send: { to: string; text: string; sendId: string } };

export type LiveAnswer =
  /** From `cursor` on nothing is missed. */
  | { subscribed: string[]; cursor: string }
  | { refused: string[] }
  /** `message`: the one that the event is about, where the server has it at hand. */
  | { event: LiveEvent; message?: Message }
  /** What matters only now, and is not repeated. */
  | { broadcast: LiveBroadcast }
  | { sent: SentMessage & { sendId: string } }
  | { unsent: { sendId: string; code: RefusalCode | "failed"; message: string } };

/** A type of `gap` means: something was missed, load anew. */
export type LiveEvent = (LiveChange | { topic: string; type: "gap"; data: Record<string, never> }) & { cursor: string };

export type LiveBroadcast = { topic: string; type: string; data: Record<string, string | number | boolean | null> };

export const livePath = "/live";

/** Closed with this code, a browser does not come back by itself: its session has ended, or it broke the rules. */
export const stopCode = 1008;
