import type { ModerationActionKind } from "../moderation/moderation-action.ts";
import type { Notice } from "../moderation/notices.server.ts";

/** Limits and texts: specification §3, §5, §9. */
export const slugMaxLength = 35;
export const titleMaxLength = 200;
/** Characters of Markdown. */
export const contentMaxLength = 500_000;

export type PostStatus = "active" | "inactive";

export const postTexts = {
  titleRequired: "Title is required",
  titleTooLong: `Title cannot exceed ${titleMaxLength} characters`,
  slugRequired: "Slug is required",
  slugTooLong: `Slug cannot exceed ${slugMaxLength} characters`,
  slugTaken: "That address is taken.",
  slugTruncated: `Slug truncated to ${slugMaxLength} characters for optimal compatibility`,
  contentTooLong: "Content cannot exceed 500,000 characters",
  contentTooComplicated: "The formatting is nested too deeply. Please simplify it.",
  renderingBusy: "The site is busy right now. Please try again in a few seconds.",
  renderedTooMuch: (retryAfterSeconds: number) =>
    `You’ve reached the hourly limit for saving complex stories. Please try again in ${Math.ceil(retryAfterSeconds / 60)} minutes.`,
  statusRequired: "Status is required",
  imageRequired: "Featured image is required",
  created: "Post published successfully!",
  deleted: "Post deleted successfully",
  deleteFailed: "Failed to delete post",
  deleteOwnQuestion: "Are you sure you want to delete this post?",
  deleteQuestion: "Are you sure you want to delete this post? This action cannot be undone.",
  createdDraft: "Draft saved successfully!",
  updated: "Post updated successfully!",
  heldNow: "Saved. We’ll review your story before it goes live.",
  notYours: "You can only edit your own stories",
};

export type PostCard = {
  id: string;
  title: string;
  summary: string;
  /** Whether it has content but no words for a card. */
  textless?: 0 | 1;
  words: number;
  featuredImage: string | null;
  userId: string;
  userName: string;
  profileImage: string | null;
  status: PostStatus;
  held?: ModerationActionKind | null;
  featured: boolean;
  pinned: boolean;
  views: number;
  likesCount: number;
  /** When it was first published; null if it never was. */
  publishedAt: number | null;
  updatedAt: number;
};

export type OwnPost = PostCard & { createdAt: number };

export type Post = PostCard & {
  /** Sanitized HTML. */
  content: string;
  liked: boolean;
  bookmarked: boolean;
  notice: Notice | null;
  author: { bio: string; location: string; website: string; twitter: string; github: string; linkedIn: string } | null;
};

/** Roughly the plain text of Markdown, for word counts and excerpts of drafts. */
export function stripMarkdown(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*(?:\](?:\([^)]*(?:\)|$))?|$)/g, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<\/?[a-z][^>]*>/gi, "")
    .replace(/^[ \t]*(#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+/gm, "")
    .replace(/[*~`]{1,3}/g, "");
}

export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu)?.length ?? 0;
}
