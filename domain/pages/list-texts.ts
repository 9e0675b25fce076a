export const listTexts = {
  heading: "Something went wrong",
  home: "Failed to load content. Please try again.",
  stories: "Failed to load posts. Please try again.",
};
