import { listFound, listPosts, type Paging, type PostListPage } from "#domain/search/lists.server.ts";
import { isPostSort, type ListSort } from "#domain/search/post-sorts.ts";
import { readCounters } from "../counters/counters.server.ts";
import type { Site } from "../site.ts";

export type PostFigures = { stories: number; views: number; likes: number; writers: number };

export type AllPosts = PostListPage & {
  sort: ListSort;
  figures: PostFigures;
  /** Counted up to `countedMatches`; null without a search. */
  matches: number | null;
};

export async function readAllPosts(site: Site, asked: Paging & { search: string; sort: string | null }): Promise<AllPosts> {
  const { search, sort: name, ...paging } = asked;
  const sort = isPostSort(name) ? name : undefined;
  const [{ published, publishedViews, publishedLikes, writers }, found] = await Promise.all([
    readCounters(site),
    search ? listFound(site, { text: search, sort: sort ?? "best", ...paging }) : undefined,
  ]);
  const figures = { stories: published, views: publishedViews, likes: publishedLikes, writers };
  if (found) return { ...found, sort: sort ?? "best", figures };
  return { ...(await listPosts(site, { sort: sort ?? "newest", ...paging })), sort: sort ?? "newest", figures, matches: null };
}
