/**
 * What the site keeps count of; browser-safe. Each is exact at every moment: the database itself counts in the transaction
 * that adds, changes or removes the rows, whoever writes them (docs/decisions/0025-counters-and-lists.md).
 */

/** Also kept by day, which is that of the row's creation: what is deleted is missing from its day as well. */
export type DatedCounter = "members" | "published" | "drafts" | "featured" | "pinned" | "likes" | "bookmarks" | "messages";

/**
 * All-time counters: members who have published something, what the published stories have been given, messages that wait to
 * be read, and members in whose conversations something stands.
 */
export type Counter = DatedCounter | "writers" | "publishedViews" | "publishedLikes" | "unread" | "correspondents";

/** `views` counts the views of a day, whatever becomes of their story later. */
export type DailyCounter = DatedCounter | "views";

export type Counters = Record<Counter, number>;

/** A member's own: stories in all and published, likes on the published ones, messages sent. */
export type MemberCounters = { posts: number; published: number; likesReceived: number; messagesSent: number };

const dayLength = 24 * 60 * 60 * 1000;

/** The number of the day, counted from 1970 in UTC, in which a time in milliseconds lies. */
export function dayOf(time: number): number {
  return Math.floor(time / dayLength);
}
