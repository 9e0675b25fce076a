import { reactionTexts } from "#app/reactions/reaction.ts";

export const removeBookmarkQuestion = {
  title: "Remove this bookmark?",
  text: "Remove this post from bookmarks?",
  confirmLabel: "Remove",
  danger: true,
  failed: reactionTexts.bookmark.failed,
};
