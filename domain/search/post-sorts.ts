/** Specification §2, All stories page. */
export const postSorts = ["newest", "oldest", "trending", "views", "likes", "title", "author"] as const;

export type PostSort = (typeof postSorts)[number];

export type ListSort = PostSort | "best";

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

export function isPostSort(sort: unknown): sort is PostSort {
  return postSorts.includes(sort as PostSort);
}

export const maxCountedMatches = 250;
