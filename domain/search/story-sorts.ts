/** The orders in which the listing of all stories can be read (specification §2, All stories page); browser-safe. */
export const storySorts = ["newest", "oldest", "trending", "views", "likes", "title", "author"] as const;

export type StorySort = (typeof storySorts)[number];

export type ListSort = StorySort | "best";

export const sortLabels: Record<ListSort, string> = {
  best: "Best match",
  newest: "Newest first",
  oldest: "Oldest first",
  trending: "Trending",
  views: "Most views",
  likes: "Most likes",
  title: "Title A-Z",
  author: "Author A-Z",
};

export function isStorySort(sort: unknown): sort is StorySort {
  return storySorts.includes(sort as StorySort);
}

export const countedMatches = 250;
