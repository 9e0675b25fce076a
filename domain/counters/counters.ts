import { days } from "#platform/time.ts";

/**
 * What the site keeps count of; browser-safe. Each is exact at every moment: the database itself counts in the transaction
 * that adds, changes or removes the rows, whoever writes them (docs/decisions/0025-counters-and-lists.md).
 */

export type DatedCounter = "members" | "published" | "drafts" | "featured" | "pinned" | "likes" | "bookmarks" | "messages";

export type Counter = DatedCounter | "writers" | "publishedViews" | "publishedLikes" | "unread" | "correspondents";

/** `views` counts the views of a day, whatever becomes of their story later. */
export type DailyCounter = DatedCounter | "views";

export type Counters = Record<Counter, number>;

export type MemberCounters = { posts: number; published: number; likesReceived: number; messagesSent: number };

/** The number of the day, counted from 1970 in UTC, in which a time in milliseconds lies. */
export function dayOf(time: number): number {
  return Math.floor(time / days(1));
}
