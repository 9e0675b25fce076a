import type { Draft, OtherVersion } from "#domain/drafts/draft.ts";

export type PostField = "title" | "slug" | "content" | "status" | "featuredImage";

/** Why a story was not saved, and what was typed, for a form without JavaScript to show again. */
export type PostRefusal = {
  /** The specification's sentence with its reason (§8, Post submit fails). */
  message: string;
  errors: Partial<Record<PostField, string | undefined>>;
  freeSlug: string | undefined;
  /** Null when it never arrived; the browser has it still. */
  typed: Draft | null;
  /** What is there instead of what the writer saw; null inside means that nothing does. */
  changed: { theirs: OtherVersion | null } | null;
};
