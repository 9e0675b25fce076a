import { useEffect, useId, useState } from "react";
import { useFetcher, useLocation } from "react-router";
import { type FailedPart, partOf } from "#app/shell/preserve-screen.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { useSlow } from "#app/shell/use-slow.ts";
import type { PostCard } from "#domain/posts/post.ts";

/** `after`: the cursor of this page. */
export type PagedPosts<Card extends PostCard = PostCard> = { posts: Card[]; next: string | null; after: string | null };

export type PagedList<Card extends PostCard = PostCard> = {
  posts: Card[];
  /** The cursor of the next page, null at the end. */
  next: string | null;
  /** The next page, not a loaded one again. */
  loading: boolean;
  /** For long enough to show skeletons. */
  slow: boolean;
  loadMore(href: string): void;
};

const maxRememberedEntries = 20;
/** The loaded pages by history entry, so that Back shows all of them. Only in the browser. */
const pagesByEntry = new Map<string, PagedPosts[]>();

/** None if they don't follow the first page, which was loaded again: stories published since would leave a gap. */
function recall<Card extends PostCard>(entry: string, { next }: PagedPosts<Card>): PagedPosts<Card>[] {
  const pages = (pagesByEntry.get(entry) ?? []) as PagedPosts<Card>[];
  return pages[0]?.after === next ? pages : [];
}

function remember(entry: string, pages: PagedPosts[]): void {
  pagesByEntry.delete(entry);
  if (pages.length > 0) pagesByEntry.set(entry, pages);
  for (const oldest of [...pagesByEntry.keys()].slice(0, -maxRememberedEntries)) pagesByEntry.delete(oldest);
}

/** The key contains the viewer, as another member must not see the pages. */
function useHistoryEntry(): string {
  const { key, pathname, search } = useLocation();
  return `${useRoot().viewer?.id} ${key} ${pathname}${search}`;
}

type LoadedPages<Card extends PostCard> = { key: string; entry: string; pages: PagedPosts<Card>[] };
type Place<Card extends PostCard> = { key: string; entry: string; first: PagedPosts<Card> };

/** Identifies a list and its view. A reload on the same history entry begins at the top. */
function pagesAfter<Card extends PostCard>(known: LoadedPages<Card>, { key, entry, first }: Place<Card>): PagedPosts<Card>[] {
  if (known.key === key) return known.pages;
  return known.entry === entry ? [] : recall(entry, first);
}

export function usePagedList<Card extends PostCard>(first: PagedPosts<Card>, key = ""): PagedList<Card> {
  const fetcher = useFetcher<{ listing?: PagedPosts<Card> } | FailedPart>({ key: `${useId()} ${key}` });
  const entry = useHistoryEntry();
  const [known, setKnown] = useState(() => ({ key, entry, pages: recall(entry, first) }));
  const [asked, setAsked] = useState<string | null>();
  const grown = known.key === key && known.entry === entry ? known : { key, entry, pages: pagesAfter(known, { key, entry, first }) };
  if (grown !== known) setKnown(grown);
  const more = grown.pages;
  useEffect(() => remember(entry, more), [entry, more]);
  const loaded = fetcher.data && "listing" in fetcher.data ? (fetcher.data.listing as PagedPosts<Card> | undefined) : undefined;
  // After each submitted form a page is loaded again and replaces its older self. Just after a change of lists the fetcher still has a page
  // of the former one, so a page is added only after its predecessor.
  const follows = [first, ...more].some(({ next, after }) => loaded && (loaded.after === next || loaded.after === after));
  if (loaded && follows && !more.includes(loaded))
    setKnown({ key, entry, pages: [...more.filter(({ after }) => after !== loaded.after), loaded] });
  const { data } = fetcher;
  useEffect(() => {
    if (data && "failed" in data) showToast({ tone: "error", text: data.failed });
  }, [data]);
  const pages = [first, ...more];
  // Without duplicates: a story whose rank changed may be on two pages.
  const byId = new Map(pages.flatMap(({ posts }) => posts).map((post) => [post.id, post]));
  const next = pages.at(-1)?.next ?? null;
  const loading = fetcher.state !== "idle" && asked === next;
  return {
    posts: [...byId.values()],
    next,
    loading,
    slow: useSlow(loading),
    loadMore: (href) => {
      setAsked(next);
      void fetcher.load(partOf(href));
    },
  };
}
