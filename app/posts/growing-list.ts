import { useState } from "react";
import { useFetcher } from "react-router";
import type { StoryCard } from "#domain/posts/post.ts";

/** A page of a list as loaders hand it over: `after` is the cursor it was asked for with. */
export type StoryListing = { posts: StoryCard[]; next: string | null; after: string | null };

export type GrowingList = {
  stories: StoryCard[];
  /** Where the next page is, null at the end. */
  next: string | null;
  loading: boolean;
  loadMore(href: string): void;
};

/**
 * The pages of a list that have been loaded so far, as one list. Its loader answers with `listing`, also on the address
 * of a further page. Give the component another `key` when the list becomes another one.
 */
export function useGrowingList(first: StoryListing): GrowingList {
  const fetcher = useFetcher<{ listing?: StoryListing }>();
  const [more, setMore] = useState<StoryListing[]>([]);
  const loaded = fetcher.data?.listing;
  // A page comes again, renewed, after every form that was sent: it takes the place of its former self.
  if (loaded && !more.includes(loaded)) setMore([...more.filter(({ after }) => after !== loaded.after), loaded]);
  const pages = [first, ...more];
  const stories = new Map(pages.flatMap(({ posts }) => posts).map((story) => [story.id, story]));
  return {
    stories: [...stories.values()],
    next: pages.at(-1)?.next ?? null,
    loading: fetcher.state !== "idle",
    loadMore: (href) => void fetcher.load(href),
  };
}
