import { useEffect, useId, useState } from "react";
import { useFetcher } from "react-router";
import { showToast } from "#app/shell/toasts.tsx";
import type { PostCard } from "#domain/posts/post.ts";

/** A page of a list as loaders hand it over: `after` is the cursor it was asked for with. */
export type PostListing<Card extends PostCard = PostCard> = { posts: Card[]; next: string | null; after: string | null };

/** What a page of a list comes to when the server could not be reached: the list stays as it is, and one may try again. */
export type FailedPage = { failed: string };

export type GrowingList<Card extends PostCard = PostCard> = {
  stories: Card[];
  /** Where the next page is, null at the end. */
  next: string | null;
  loading: boolean;
  loadMore(href: string): void;
};

export function useGrowingList<Card extends PostCard>(first: PostListing<Card>, key = ""): GrowingList<Card> {
  const fetcher = useFetcher<{ listing?: PostListing<Card> } | FailedPage>({ key: `${useId()} ${key}` });
  const [grown, setGrown] = useState<{ key: string; pages: PostListing<Card>[] }>({ key, pages: [] });
  const more = grown.key === key ? grown.pages : [];
  const loaded = fetcher.data && "listing" in fetcher.data ? (fetcher.data.listing as PostListing<Card> | undefined) : undefined;
  // A page comes again, renewed, after every form that was sent: it takes the place of its former self.
  // The fetcher still has that of the list before, in the first moment of another one: what is added follows a page that is there.
  const follows = [first, ...more].some(({ next, after }) => loaded && (loaded.after === next || loaded.after === after));
  if (loaded && follows && !more.includes(loaded))
    setGrown({ key, pages: [...more.filter(({ after }) => after !== loaded.after), loaded] });
  const { data } = fetcher;
  useEffect(() => {
    if (data && "failed" in data) showToast({ tone: "error", text: data.failed });
  }, [data]);
  const pages = [first, ...more];
  // Once each: one whose figures have changed may be on two pages.
  const stories = new Map(pages.flatMap(({ posts }) => posts).map((story) => [story.id, story]));
  return {
    stories: [...stories.values()],
    next: pages.at(-1)?.next ?? null,
    loading: fetcher.state !== "idle",
    loadMore: (href) => void fetcher.load(href),
  };
}

/**
 * In a page's `clientLoader`: a further page that could not be fetched fails as a toast, not as a page. Everything else
 * that goes wrong is the page's own to show.
 */
export async function orFailedPage<Data>(request: Request, text: string, load: () => Promise<Data>): Promise<Data | FailedPage> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof TypeError) || !new URL(request.url).searchParams.has("after")) throw error;
    return { failed: text };
  }
}
