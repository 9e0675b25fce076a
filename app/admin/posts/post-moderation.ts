import { connectionLost } from "#app/shell/closed.ts";
import type { Toast } from "#app/shell/flash.ts";
import { capitalize } from "#domain/format.ts";
import {
  type AdminPost,
  type BulkResult,
  bulkModerations,
  invalidOperation,
  type Moderation,
} from "#domain/moderation/posts/moderation.ts";

/** The result of a moderation action, for a toast. `besides`: the successes of a partly failed bulk action. `undo`: what its Undo sends. */
export type ModerationResult = { tone: "success" | "error"; text: string; besides?: string; undo?: { id: string } | { batch: string } };

/** Texts fixed by the specification (messaging and administration §8). */
export const moderated: Record<Moderation, { done: string; failed: string; plural: string }> = {
  publish: { done: "Post published", failed: "Failed to update post status", plural: "published" },
  unpublish: { done: "Post unpublished", failed: "Failed to update post status", plural: "unpublished" },
  feature: { done: "Post featured", failed: "Failed to update featured status", plural: "featured" },
  unfeature: { done: "Post unfeatured", failed: "Failed to update featured status", plural: "unfeatured" },
  pin: { done: "Post pinned", failed: "Failed to update pinned status", plural: "pinned" },
  unpin: { done: "Post unpinned", failed: "Failed to update pinned status", plural: "unpinned" },
  hold: { done: "Story held", failed: "Failed to hold story", plural: "held" },
  erase: { done: "Story permanently deleted", failed: "Failed to delete post", plural: "deleted permanently" },
  delete: { done: "Post deleted successfully", failed: "Failed to delete post", plural: "deleted" },
};

export const moderationToasts = {
  nothingSelected: "No posts selected",
  likesAdjusted: (before: number, after: number) => `Likes adjusted: ${before} → ${after}`,
  likesFailed: "Failed to adjust likes. Please try again.",
  viewsUpdated: (views: number) => `Views updated to ${views}`,
  viewsFailed: "Failed to update views",
  refreshed: "Posts refreshed",
  deleteQuestion: "Delete this post permanently?",
};

export function bulkResult(action: string, { successful, failed, batchId }: Omit<BulkResult, "errors">): ModerationResult {
  if (!bulkModerations.includes(action)) return { tone: "error", text: invalidOperation };
  const undo = successful > 0 ? { undo: { batch: batchId } } : {};
  const done = `${successful} ${successful === 1 ? "post" : "posts"} ${pluralOf(action)}`;
  if (failed === 0) return { tone: "success", text: done, ...undo };
  return { tone: "error", text: `Failed to ${action} ${failed} post(s)`, ...(successful > 0 && { besides: done }), ...undo };
}

/** After a request failure. */
export function requestFailureResult(form: FormData): ModerationResult {
  const [bulk, action] = [form.get("bulk"), String(form.get("do"))];
  if (bulk !== null) return { tone: "error", text: `Failed to ${bulk} posts` };
  const failed = { likes: moderationToasts.likesFailed, views: moderationToasts.viewsFailed }[action];
  return { tone: "error", text: failed ?? moderated[action as Moderation]?.failed ?? connectionLost };
}

export function toastsOf({ tone, text, besides }: ModerationResult): Toast[] {
  return [{ tone, text }, ...(besides ? [{ tone: "success" as const, text: besides }] : [])];
}

function pluralOf(action: string): string {
  return moderated[action as Moderation]?.plural ?? "done";
}

export const deletedHint = "Until then, you can find it under Status: Deleted and undo this.";

type Question = { title: string; text: string; label: string };

export type HiddenPost = Pick<AdminPost, "id" | "title" | "held">;

export function releaseQuestion({ title, userName, held }: AdminPost): Question {
  const isDeleted = held === "delete";
  return {
    title: isDeleted ? "Publish this deleted story?" : "Publish this held story?",
    text: `“${title}” by ${userName} ${isDeleted ? "was deleted by a moderator" : "is held for review"}. Publishing undoes that: everyone can read it at once.`,
    label: "Release and publish",
  };
}

function releaseText(hidden: HiddenPost[]): string {
  const of = (kind: "hold" | "delete") => hidden.filter(({ held }) => held === kind).map(({ title }) => `“${title}”`);
  const [held, deleted] = [of("hold"), of("delete")];
  const parts = [held.length > 0 && `held: ${held.join(", ")}`, deleted.length > 0 && `deleted: ${deleted.join(", ")}`];
  return `This also releases what moderators have hidden (${parts.filter(Boolean).join("; ")}).`;
}

/** `hidden`: the posts that a moderator hid. */
export function bulkQuestion(action: string, count: number, hidden: HiddenPost[] = []): Question {
  const name = capitalize(action);
  const posts = count === 1 ? "this story" : `these ${count} stories`;
  const releases = action === "publish" && hidden.length > 0;
  const undo = action === "delete" ? "You can undo this until then." : "You can undo this for 30 days.";
  const text =
    action === "delete" ? `Hidden right away and permanently deleted, with likes, bookmarks and pictures, after 30 days. ${undo}` : undo;
  return {
    title: `${name} ${posts}?`,
    text: releases ? `${releaseText(hidden)} ${undo}` : text,
    label: releases ? "Release and publish" : name,
  };
}
