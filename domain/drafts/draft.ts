import { minutes } from "#platform/time.ts";
import type { PostStatus } from "../posts/post.ts";

/** The fields of the editor, for a new or an existing story (docs/decisions/0018-drafts.md). */
export type Draft = {
  title: string;
  slug: string;
  slugTyped: boolean;
  content: string;
  status: PostStatus;
  /** File id. */
  featuredImage: string | null;
};

export const emptyDraft: Draft = { title: "", slug: "", slugTyped: false, content: "", status: "active", featuredImage: null };

export type WorkingCopy = Draft & {
  id: string;
  /** Null for a new story. */
  postId: string | null;
  postVersion: number | null;
  revision: number;
  writer: string;
  updatedAt: number;
};

export type DraftBase = {
  id: string;
  /** The last revision that the page knows; null if the server had no copy. */
  base: number | null;
  writer: string;
  /** Changes made by the page, which tell whether a delayed request is older than the copy. */
  count: number;
};

/** A page's save. */
export type DraftSave = DraftBase & {
  userId: string;
  postId: string | null;
  postVersion: number | null;
  draft: Draft;
};

export type OtherVersion = Draft & { kind: "draft" | "story"; number: number; by: string | null };

/** Characters. More than a story may have, so that a text that is too long is not lost. */
export const draftMaxLength = 2_000_000;
export const draftsPerPerson = 200;
/** Between two versions of a working copy. */
export const versionIntervalMs = minutes(5);
export const maxVersions = 50;

export const draftTexts = {
  tooLong: "The text is too long to save",
  tooMany: `You have ${draftsPerPerson} unfinished stories. Finish or discard one first.`,
  changed: "it was changed somewhere else",
  gone: "it was published or discarded somewhere else",
  discardQuestion: "Are you sure you want to discard this unfinished story?",
  discarded: "Unfinished story discarded",
  discardChangesQuestion: "The story won’t change.",
  changesDiscarded: "Changes discarded",
  deleteQuestion: "Are you sure you want to delete this draft?",
  deleted: "Draft deleted successfully",
  deleteFailed: "Failed to delete draft",
  publishQuestion: "Are you sure you want to publish this draft?",
  published: "Draft published successfully!",
  publishFailed: "Failed to publish draft",
  theirsTitle: "Current version",
  restoredDraft: "Version restored to the editor",
  restored: "Version restored to the editor. Choose Update Post to publish it.",
};

export function isSameDraft(one: Draft, other: Draft, isNew = true): boolean {
  const same =
    one.title === other.title && one.content === other.content && one.status === other.status && one.featuredImage === other.featuredImage;
  return same && (!isNew || one.slug === other.slug);
}

export function isBlank({ title, slug, content, featuredImage }: Draft): boolean {
  return title === "" && slug === "" && content === "" && featuredImage === null;
}

export function copyIdOf(userId: string, postId: string): string {
  return `${userId}.${postId}`;
}

export function newCopyId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether an id was made by `newCopyId`, or by `copyIdOf` for this member. Member ids may have dots, story ids have none. */
export function isOwnCopyId(userId: string, id: string): boolean {
  if (/^[0-9a-f]{24}$/.test(id)) return true;
  return id.startsWith(`${userId}.`) && /^[A-Za-z0-9_-]{1,100}$/.test(id.slice(userId.length + 1));
}

export function filesIn(markdown: string): string[] {
  return [...new Set(Array.from(markdown.matchAll(/\/files\/([0-9a-z]{12,40})\b/g), ([, id = ""]) => id))].slice(0, 500);
}
