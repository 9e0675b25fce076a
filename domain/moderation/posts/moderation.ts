import { fullCount } from "#domain/format.ts";
import type { ModerationActionKind } from "#domain/moderation/moderation-action.ts";

export const maxLikesAdjustment = 10_000;
export const maxViews = 2_000_000_000;

/** Messaging and administration §5, §8. */
export const moderationTexts = {
  notANumber: "Please enter a valid number",
  zero: "Adjustment cannot be zero",
  tooMuch: `You can adjust likes by up to ${fullCount(maxLikesAdjustment)} at a time`,
  badViews: "Views must be a whole number of zero or more",
  tooManyViews: `Views can be at most ${fullCount(maxViews)}`,
};

export type LikesAdjustment = { previousCount: number; newCount: number };

export const moderations = ["publish", "unpublish", "feature", "unfeature", "pin", "unpin", "hold", "delete", "erase"] as const;
export type Moderation = (typeof moderations)[number];
export const actionsWithReason: readonly string[] = ["unpublish", "hold", "delete"] satisfies Moderation[];

export const bulkModerations: readonly string[] = ["publish", "unpublish", "feature", "delete"] satisfies Moderation[];
export const maxBulkPosts = 100;
/** If the form didn't ask to confirm it. */
export function releaseRequiredText(title: string): string {
  return `“${title}” was hidden by a moderator. Confirm that publishing releases it.`;
}

export const invalidOperation = "Invalid operation";

/** `batchId` undoes all of them. */
export type BulkResult = { successful: number; failed: number; batchId: string; errors: { id: string; message: string }[] };

export const adminSorts = ["newest", "oldest", "title", "likes", "views"] as const;
export type AdminSort = (typeof adminSorts)[number];

export function isAdminSort(sort: unknown): sort is AdminSort {
  return adminSorts.includes(sort as AdminSort);
}

export type AdminPost = {
  id: string;
  title: string;
  userId: string;
  userName: string;
  featuredImage: string | null;
  status: "active" | "inactive";
  held: ModerationActionKind | null;
  /** Another moderator hid the viewer's own story: only other staff may release it. */
  isOwnCase: boolean;
  featured: boolean;
  pinned: boolean;
  likesCount: number;
  adjustedLikes: number;
  views: number;
  /** When it was published, or created. */
  date: number;
};

/** Negative numbers have no limit: at most the existing likes are removed. */
export function adjustProblem(typed: string): string | undefined {
  if (!/^\s*[-+]?\d+\s*$/.test(typed)) return moderationTexts.notANumber;
  const by = Number(typed);
  if (by === 0) return moderationTexts.zero;
  return by > maxLikesAdjustment ? moderationTexts.tooMuch : undefined;
}
