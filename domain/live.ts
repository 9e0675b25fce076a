/** What goes over the live socket, in JSON, one message per frame. */
export type LiveRequest =
  /** Authorised topic by topic. `after` is the last cursor that was heard on them. */
  { subscribe: string[]; after?: string | undefined } | { unsubscribe: string[] };

export type LiveAnswer =
  /** From `cursor` on nothing is missed. */
  { subscribed: string[]; cursor: string } | { refused: string[] } | { event: LiveEvent };

/** A type of `gap` means: something was missed, load anew. */
export type LiveEvent = { topic: string; type: string; data: Record<string, string | number | boolean | null>; cursor: string };

export const livePath = "/live";

/** Closed with this code, a browser does not come back by itself: its session has ended, or it broke the rules. */
export const stopCode = 1008;
