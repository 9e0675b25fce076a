import { fullCount } from "#domain/format.ts";
import type { ModerationActionKind } from "#domain/moderation/moderation-action.ts";

/** What administrators do with anybody's stories: limits and texts; browser-safe (messaging and administration §5, §8). */
export const maxLikesAdjustment = 10_000;
export const viewsMost = 2_000_000_000;

export const moderationTexts = {
  notANumber: "Please enter a valid number",
  zero: "Adjustment cannot be zero",
  tooMuch: `You can adjust likes by up to ${fullCount(maxLikesAdjustment)} at a time`,
  badViews: "Views must be a whole number of zero or more",
};

export type LikesAdjusted = { previousCount: number; newCount: number };

/** What can be done to a story by a row's buttons. */
export const moderations = ["publish", "unpublish", "feature", "unfeature", "pin", "unpin", "hold", "delete", "erase"] as const;
export type Moderation = (typeof moderations)[number];
/** Those for which administrators say why: the author reads it. */
export const reasoned: readonly string[] = ["unpublish", "hold", "delete"] satisfies Moderation[];

/** What can be done to many at once (messaging and administration §5). */
export const bulkModerations: readonly string[] = ["publish", "unpublish", "feature", "delete"] satisfies Moderation[];
export const maxBulkPosts = 100;

export type BulkResult = { successful: number; failed: number; errors: { id: string; message: string }[] };

/** What an administrator's list of stories can be narrowed to and sorted by (messaging and administration §2, Posts). */
export const adminSorts = ["newest", "oldest", "title", "likes", "views"] as const;
export type AdminSort = (typeof adminSorts)[number];

export function isAdminSort(sort: unknown): sort is AdminSort {
  return adminSorts.includes(sort as AdminSort);
}

/** A story as the administrators' list shows it (messaging and administration §3). */
export type AdminPost = {
  id: string;
  title: string;
  userId: string;
  userName: string;
  featuredImage: string | null;
  status: "active" | "inactive";
  /** What keeps it out of sight, if anything. */
  held: ModerationActionKind | null;
  featured: boolean;
  pinned: boolean;
  likesCount: number;
  adjustedLikes: number;
  views: number;
  createdAt: number;
};

/** What is wrong with what somebody typed into Adjust Likes. */
export function adjustProblem(typed: string): string | undefined {
  if (!/^\s*[-+]?\d+\s*$/.test(typed)) return moderationTexts.notANumber;
  const by = Number(typed);
  if (by === 0) return moderationTexts.zero;
  return Math.abs(by) > maxLikesAdjustment ? moderationTexts.tooMuch : undefined;
}
