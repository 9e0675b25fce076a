import { days } from "#platform/time.ts";

/** Browser-safe. Database triggers keep counters exact in the writing transaction (docs/decisions/0025-counters-and-lists.md). */

type DatedCounter = "members" | "published" | "drafts" | "featured" | "pinned" | "likes" | "bookmarks" | "messages";

export type Counter = DatedCounter | "writers" | "publishedViews" | "publishedLikes" | "unread" | "correspondents";

export type DailyCounter = DatedCounter | "views";

export type Counters = Record<Counter, number>;

export type MemberCounters = { posts: number; published: number; likesReceived: number; messagesSent: number };

export function dayOf(time: number): number {
  return Math.floor(time / days(1));
}
