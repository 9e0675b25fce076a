/** What a like or bookmark says when it changes or can't (specification §4, §5, §8). */
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

/** What became of it, to be shown as a toast. */
export type ReactionAnswer = { tone: "success" | "error" | "info"; text: string };

export function reactionOf(form: FormData): Reaction {
  return form.get("reaction") === "bookmark" ? "bookmark" : "like";
}
