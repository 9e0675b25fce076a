export const listTexts = {
  heading: "Something went wrong",
  home: "Failed to load content. Please try again.",
  posts: "Failed to load posts. Please try again.",
};
