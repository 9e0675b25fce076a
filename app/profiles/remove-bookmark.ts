export const removeBookmarkTexts = {
  button: "Remove Bookmark",
  title: "Remove this bookmark?",
  question: "Remove this post from bookmarks?",
  confirm: "Remove",
};
