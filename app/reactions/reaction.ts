import type { LiveEvent } from "#domain/live.ts";

/** Specification §4, §5, §8. */
export const reactionTexts = {
  like: { on: "Post liked!", off: "Like removed", failed: "Failed to update like", login: "Please login to like posts" },
  bookmark: {
    on: "Added to bookmarks",
    off: "Removed from bookmarks",
    failed: "Failed to update bookmark",
    login: "Please login to bookmark posts",
  },
};

export type Reaction = keyof typeof reactionTexts;

/** `saved`: null if nothing was saved. */
export type ReactionResponse = { tone: "success" | "error" | "info"; text: string; saved: { on: boolean; count: number } | null };

export function reactionOf(form: FormData): Reaction {
  return form.get("reaction") === "bookmark" ? "bookmark" : "like";
}

export function reactionPath(postId: string): string {
  return `/post/${encodeURIComponent(postId)}/react`;
}

const collections = { like: "likes", bookmark: "bookmarks" } as const;

/** Undefined for events about something else. */
export function changeIn({ type, data }: LiveEvent, postId: string, reaction: Reaction) {
  if (type !== "reaction.changed" && type !== "likes.adjusted") return undefined;
  if (data.postId !== postId || data.reaction !== collections[reaction]) return undefined;
  return { on: "on" in data ? data.on : undefined, count: data.count };
}
