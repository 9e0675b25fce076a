import { listFound, listStories, type Paging, type StoryPage } from "#domain/search/lists.server.ts";
import { isStorySort, type ListSort } from "#domain/search/story-sorts.ts";
import { readCounters } from "../counters/counters.server.ts";
import type { Site } from "../site.ts";

export type StoryFigures = { stories: number; views: number; likes: number; writers: number };

export type AllStories = StoryPage & {
  sort: ListSort;
  figures: StoryFigures;
  /** How many stories a search finds, counted no further than to `countedMatches`; null without a search. */
  matches: number | null;
};

export async function readAllStories(site: Site, asked: Paging & { search: string; sort: string | null }): Promise<AllStories> {
  const { search, sort: name, ...paging } = asked;
  const sort = isStorySort(name) ? name : undefined;
  const [{ published, publishedViews, publishedLikes, writers }, found] = await Promise.all([
    readCounters(site),
    search ? listFound(site, { text: search, sort: sort ?? "best", ...paging }) : undefined,
  ]);
  const figures = { stories: published, views: publishedViews, likes: publishedLikes, writers };
  if (found) return { ...found, sort: sort ?? "best", figures };
  return { ...(await listStories(site, { sort: sort ?? "newest", ...paging })), sort: sort ?? "newest", figures, matches: null };
}
