import { useEffect, useId, useState } from "react";
import { useFetcher, useLocation } from "react-router";
import { type FailedPart, partOf } from "#app/shell/keep-screen.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { showToast } from "#app/shell/toasts.tsx";
import type { PostCard } from "#domain/posts/post.ts";

/** `after`: the cursor of this page. */
export type PostListing<Card extends PostCard = PostCard> = { posts: Card[]; next: string | null; after: string | null };

export type GrowingList<Card extends PostCard = PostCard> = {
  stories: Card[];
  /** The cursor of the next page, null at the end. */
  next: string | null;
  loading: boolean;
  loadMore(href: string): void;
};

const rememberedSteps = 20;
/** The pages that were loaded, by history entry: Back shows them all again. Only in the browser. */
const grownBefore = new Map<string, PostListing[]>();

function recallPages<Card extends PostCard>(step: string): PostListing<Card>[] {
  return (grownBefore.get(step) ?? []) as PostListing<Card>[];
}

function remember(step: string, pages: PostListing[]): void {
  grownBefore.delete(step);
  if (pages.length > 0) grownBefore.set(step, pages);
  for (const oldest of [...grownBefore.keys()].slice(0, -rememberedSteps)) grownBefore.delete(oldest);
}

/** Another member must not see them. */
function useHistoryStep(): string {
  const { key, pathname, search } = useLocation();
  return `${useRoot().viewer?.id} ${key} ${pathname}${search}`;
}

type LoadedPages<Card extends PostCard> = { key: string; step: string; pages: PostListing<Card>[] };

/** Identifies a list and its view. A reload on the same history entry begins at the top. */
function pagesAfter<Card extends PostCard>(known: LoadedPages<Card>, { key, step }: { key: string; step: string }): PostListing<Card>[] {
  if (known.key === key) return known.pages;
  return known.step === step ? [] : recallPages<Card>(step);
}

export function useGrowingList<Card extends PostCard>(first: PostListing<Card>, key = ""): GrowingList<Card> {
  const fetcher = useFetcher<{ listing?: PostListing<Card> } | FailedPart>({ key: `${useId()} ${key}` });
  const step = useHistoryStep();
  const [known, setKnown] = useState(() => ({ key, step, pages: recallPages<Card>(step) }));
  const grown = known.key === key && known.step === step ? known : { key, step, pages: pagesAfter(known, { key, step }) };
  if (grown !== known) setKnown(grown);
  const more = grown.pages;
  useEffect(() => remember(step, more), [step, more]);
  const loaded = fetcher.data && "listing" in fetcher.data ? (fetcher.data.listing as PostListing<Card> | undefined) : undefined;
  // After each submitted form a page is loaded again and replaces its older self. Just after a change of lists the fetcher still has a page
  // of the former one, so a page is added only after its predecessor.
  const follows = [first, ...more].some(({ next, after }) => loaded && (loaded.after === next || loaded.after === after));
  if (loaded && follows && !more.includes(loaded))
    setKnown({ key, step, pages: [...more.filter(({ after }) => after !== loaded.after), loaded] });
  const { data } = fetcher;
  useEffect(() => {
    if (data && "failed" in data) showToast({ tone: "error", text: data.failed });
  }, [data]);
  const pages = [first, ...more];
  // Without duplicates: a story whose rank changed may be on two pages.
  const stories = new Map(pages.flatMap(({ posts }) => posts).map((story) => [story.id, story]));
  return {
    stories: [...stories.values()],
    next: pages.at(-1)?.next ?? null,
    loading: fetcher.state !== "idle",
    loadMore: (href) => void fetcher.load(partOf(href)),
  };
}
