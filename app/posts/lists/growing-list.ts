import { useEffect, useId, useState } from "react";
import { useFetcher, useLocation } from "react-router";
import { type FailedPart, partOf } from "#app/shell/keep-screen.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { showToast } from "#app/shell/toasts.tsx";
import type { PostCard } from "#domain/posts/post.ts";

/** A page of a list as loaders hand it over: `after` is the cursor it was asked for with. */
export type PostListing<Card extends PostCard = PostCard> = { posts: Card[]; next: string | null; after: string | null };

export type GrowingList<Card extends PostCard = PostCard> = {
  stories: Card[];
  /** Where the next page is, null at the end. */
  next: string | null;
  loading: boolean;
  loadMore(href: string): void;
};

const rememberedSteps = 20;
/** What lists had grown to, by the step of the tab's history: who comes back finds them as they were. Only in the browser. */
const grownBefore = new Map<string, PostListing[]>();

function recallPages<Card extends PostCard>(step: string): PostListing<Card>[] {
  return (grownBefore.get(step) ?? []) as PostListing<Card>[];
}

function remember(step: string, pages: PostListing[]): void {
  grownBefore.delete(step);
  if (pages.length > 0) grownBefore.set(step, pages);
  for (const oldest of [...grownBefore.keys()].slice(0, -rememberedSteps)) grownBefore.delete(oldest);
}

/** Nobody finds what someone else had loaded. */
function useHistoryStep(): string {
  const { key, pathname, search } = useLocation();
  return `${useRoot().viewer?.id} ${key} ${pathname}${search}`;
}

type LoadedPages<Card extends PostCard> = { key: string; step: string; pages: PostListing<Card>[] };

/** Another list, or the same in another look; one that is loaded anew on the same step begins at its top again. */
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
  // A page comes again, renewed, after every form that was sent: it takes the place of its former self.
  // The fetcher still has that of the list before, in the first moment of another one: what is added follows a page that is there.
  const follows = [first, ...more].some(({ next, after }) => loaded && (loaded.after === next || loaded.after === after));
  if (loaded && follows && !more.includes(loaded))
    setKnown({ key, step, pages: [...more.filter(({ after }) => after !== loaded.after), loaded] });
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
    loadMore: (href) => void fetcher.load(partOf(href)),
  };
}
