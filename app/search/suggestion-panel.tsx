import { useEffect, useLayoutEffect, useRef } from "react";
import { classNames } from "#app/ui/class-names.ts";
import { Link } from "#app/ui/link.tsx";
import { Picture } from "#app/ui/picture.tsx";
import type { Piece } from "#domain/search/highlight.ts";
import type { FoundPost } from "#domain/search/quick-search.ts";
import type { Suggestions } from "./use-suggestions.ts";

type PanelProps = {
  listId: string;
  suggestions: Suggestions;
  shown: boolean;
  /** Index of the story that Enter opens, -1 for none. */
  chosen: number;
  onHover: (index: number) => void;
};

/** The list is always rendered, because the field refers to it. */
export function SuggestionPanel({ listId, suggestions, shown, chosen, onHover }: PanelProps) {
  const { posts, state } = suggestions;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (shown && list.current) showWholeRows(list.current, posts.length);
  }, [shown, posts]);
  const announcement = shown ? describe(suggestions) : "";
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it does nothing but leave the focus in the field. */}
      <div
        hidden={!shown || (state === "searching" && posts.length === 0)}
        onMouseDown={(event) => event.preventDefault()}
        className="absolute top-full right-0 left-0 z-(--z-menu) mt-1.5 flex max-h-[min(44rem,75dvh)] animate-pop flex-col rounded-lg border border-line bg-overlay p-1.5 shadow-lg lg:left-auto lg:w-[26rem]"
      >
        <div ref={list} id={listId} role="listbox" aria-label="Stories" className="min-h-0 overflow-y-auto">
          {shown &&
            posts.map((post, index) => (
              <Suggestion key={post.id} post={post} id={`${listId}-${index}`} chosen={index === chosen} onHover={() => onHover(index)} />
            ))}
        </div>
        {posts.length === 0 ? (
          <p aria-hidden className="px-2.5 py-2 text-base text-ink-2">
            {announcement}
          </p>
        ) : (
          <p className="mt-1.5 shrink-0 border-t border-line px-2.5 pt-2 pb-1 text-sm text-ink-3">Press Enter for all results</p>
        )}
      </div>
    </>
  );
}

/** Shows whole rows only; the others can be scrolled to. */
function showWholeRows(list: HTMLElement, rows: number): void {
  list.style.maxHeight = "";
  if (rows === 0 || list.scrollHeight <= list.clientHeight) return;
  const { top, bottom } = list.getBoundingClientRect();
  const ends = [...list.children].map((row) => row.getBoundingClientRect().bottom).filter((end) => end <= bottom);
  list.style.maxHeight = `${(ends.at(-1) ?? bottom) - top}px`;
}

function describe({ state, posts }: Suggestions): string {
  if (state === "failed") return "Search failed. Press Enter to try again.";
  if (state !== "found") return "";
  if (posts.length === 0) return "No matches found";
  return posts.length === 1 ? "1 story found" : `${posts.length} stories found`;
}

type SuggestionProps = { post: FoundPost; id: string; chosen: boolean; onHover: () => void };

function Suggestion({ post, id, chosen, onHover }: SuggestionProps) {
  useEffect(() => {
    if (chosen) document.getElementById(id)?.scrollIntoView({ block: "nearest" });
  }, [chosen, id]);
  return (
    <Link
      to={`/post/${encodeURIComponent(post.id)}`}
      id={id}
      role="option"
      aria-selected={chosen}
      tabIndex={-1}
      onPointerMove={chosen ? undefined : onHover}
      className={classNames("flex gap-3 rounded-sm p-2.5", chosen && "bg-hover")}
    >
      <Picture file={post.featuredImage} shape="square" sizes="56px" className="size-14 shrink-0 rounded-md" />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="display line-clamp-2 text-t1">
          <Marked pieces={post.title} />
        </span>
        <span className="block truncate text-sm text-ink-2">
          <Marked pieces={post.author} />
        </span>
        <span dir="auto" className="mt-0.5 line-clamp-1 break-all font-reading text-sm text-ink-2">
          <Marked pieces={post.excerpt} />
        </span>
      </span>
    </Link>
  );
}

function Marked({ pieces }: { pieces: Piece[] }) {
  return pieces.map(({ text, hit }, index) =>
    hit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes.
      <mark key={index} className="rounded-[2px] bg-accent-soft text-accent-ink">
        {text}
      </mark>
    ) : (
      text
    ),
  );
}
