import { useRef, useState } from "react";
import { Form, useLocation } from "react-router";
import { LoadMore } from "#app/posts/lists/load-more.tsx";
import { type PagedPosts, usePagedList } from "#app/posts/lists/paged-list.ts";
import { Excerpt, PostCover, PostTitle, postPath } from "#app/posts/lists/post-card.tsx";
import { useFilterForm } from "#app/search/filter-form.ts";
import { useRequestFailures } from "#app/shell/preserve-screen.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { ConfirmFormDialog } from "#app/ui/dialogs/confirm-form-dialog.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { SearchInput } from "#app/ui/field.tsx";
import { Bookmark, BookOpen, Heart } from "#app/ui/icons.tsx";
import { shortDate } from "#domain/dates.ts";
import { excerptLengths, shortCount } from "#domain/format.ts";
import type { BookmarkedPost } from "#domain/reactions/bookmarks.server.ts";
import { removeBookmarkQuestion } from "./remove-bookmark.ts";

type BookmarksTabProps = { listing: PagedPosts<BookmarkedPost>; count: number; search: string };

export function BookmarksTab({ listing, count, search }: BookmarksTabProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section aria-labelledby="bookmarks" className="pt-8 lg:pt-10">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h2 id="bookmarks" ref={heading} tabIndex={-1} className="display text-t3 outline-none">
            Bookmarked Posts
          </h2>
          <p className="num mt-1 text-base text-ink-2">
            {count} {count === 1 ? "post" : "posts"} bookmarked
          </p>
        </div>
        {count > 0 && <BookmarkSearch search={search} />}
      </div>
      {count === 0 && (
        <EmptyState
          art="bookmark"
          title="No bookmarks yet"
          text="Start bookmarking posts you want to read later"
          heading="h3"
          className="py-14"
        >
          <ButtonLink to="/all-posts">All Stories</ButtonLink>
        </EmptyState>
      )}
      {count > 0 && listing.posts.length === 0 && (
        <EmptyState art="search" title="No bookmarks found" text="No results" heading="h3" className="py-14" />
      )}
      <BookmarkGrid key={search} listing={listing} onRemoved={() => heading.current?.focus()} />
    </section>
  );
}

function BookmarkSearch({ search }: { search: string }) {
  return (
    <Form
      {...useFilterForm({ find: search })}
      method="get"
      action="/profile"
      role="search"
      aria-label="Bookmarks"
      preventScrollReset
      className="max-sm:w-full sm:w-72"
    >
      <input type="hidden" name="tab" value="bookmarks" />
      <SearchInput name="find" defaultValue={search} placeholder="Search bookmarks..." maxLength={200} />
    </Form>
  );
}

function BookmarkGrid({ listing, onRemoved }: { listing: BookmarksTabProps["listing"]; onRemoved: () => void }) {
  const list = usePagedList(listing);
  // As objects: pages between the first and the last are not reloaded after a removal; in a reloaded page its story is a new object.
  const [removed, setRemoved] = useState<ReadonlySet<BookmarkedPost>>(new Set());
  const remove = (post: BookmarkedPost) => {
    setRemoved(new Set([...removed, post]));
    onRemoved();
  };
  const lost = useRequestFailures();
  const shown = list.posts.filter((post) => !removed.has(post) || lost.has(removePath(post.id)));
  return (
    <div aria-busy={list.loading}>
      <div className="mt-7 grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
        {shown.map((post, index) => (
          <BookmarkCard key={post.id} post={post} first={index < 3} onRemove={() => remove(post)} />
        ))}
      </div>
      <LoadMore list={list} label="Load More Posts" />
    </div>
  );
}

function removePath(id: string): string {
  return `/profile/bookmarks/${id}/remove`;
}

type BookmarkCardProps = { post: BookmarkedPost; first: boolean; onRemove: () => void };

function BookmarkCard({ post, first, onRemove }: BookmarkCardProps) {
  const { now } = useRoot();
  const { pathname, search } = useLocation();
  return (
    <article className="flex min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-raised">
      <PostCover post={post} sizes="(min-width: 64rem) 392px, (min-width: 40rem) 46vw, 92vw" first={first} className="" />
      <div className="flex flex-1 flex-col p-5">
        <div className="flex items-center justify-between gap-2">
          <Badge tone="accent" icon={Bookmark}>
            Bookmarked
          </Badge>
          <span className="num text-sm text-ink-3">Saved {day(post.bookmarkedAt, now)}</span>
        </div>
        <h3 dir="auto" className="display mt-3 text-t1">
          <PostTitle post={post} />
        </h3>
        <Excerpt
          post={post}
          length={excerptLengths.other}
          className="mt-1.5 line-clamp-3 text-pretty font-reading text-base leading-[1.55] text-ink-2"
        />
        <div className="num mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-3">
          <span dir="auto" className="min-w-0 font-medium text-ink-2">
            {post.userName || "Anonymous"}
          </span>
          {post.publishedAt !== null && <time dateTime={new Date(post.publishedAt).toISOString()}>{shortDate(post.publishedAt)}</time>}
          <span className="inline-flex items-center gap-1.5">
            <Heart aria-hidden className="size-3.5 shrink-0" />
            {shortCount(post.likesCount)}
            <span className="sr-only">{post.likesCount === 1 ? " like" : " likes"}</span>
          </span>
        </div>
        <div className="mt-auto pt-4">
          <div className="flex flex-wrap items-center gap-2 border-t border-line pt-4">
            <ButtonLink to={postPath(post)} size="sm" icon={BookOpen} className="lg:h-9!" aria-label={`Read: ${post.title}`}>
              Read
            </ButtonLink>
            <ConfirmFormDialog
              button={{
                children: "Remove Bookmark",
                "aria-label": `Remove Bookmark: ${post.title}`,
                variant: "ghost",
                size: "sm",
                className: "lg:h-9! px-2.5!",
              }}
              {...removeBookmarkQuestion}
              action={removePath(post.id)}
              fields={{ back: pathname + search }}
              onConfirm={onRemove}
            />
          </div>
        </div>
      </div>
    </article>
  );
}

/** Omits the current year. */
function day(time: number, now: number): string {
  const [date, today] = [shortDate(time), shortDate(now)];
  if (date === today) return "today";
  return date.slice(-4) === today.slice(-4) ? date.slice(0, -6) : date;
}
