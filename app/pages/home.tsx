import { ArrowRight, PenLine } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Link } from "react-router";
import { FeaturedBlock } from "#app/posts/featured-block.tsx";
import { NewStoriesButton, useNewStories } from "#app/posts/new-stories.tsx";
import { StoryGrid } from "#app/posts/story-grid.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { column } from "#app/ui/panel.tsx";
import { greeting } from "#domain/wording.ts";
import type { HomeData } from "./index-page.tsx";

/** What members come home to. */
export function Home({ name, featured, listing, cursor }: HomeData) {
  const { search } = useRoot();
  const fresh = useNewStories(listing, { cursor, search });
  return (
    <div className={`${column} pt-8 pb-16 lg:pt-12 lg:pb-24`}>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div className="min-w-0">
          <Greeting />
          <h1 className="display mt-1 break-words text-d1 lg:text-d2">Welcome back, {name}</h1>
        </div>
        <ButtonLink to="/add-post" variant="primary" icon={PenLine}>
          New Story
        </ButtonLink>
      </div>
      {featured.length > 0 && (
        <section className="mt-14 border-t-2 border-ink pt-5 dark:border-line-strong">
          <h2 className="display mb-6 text-t3">Featured Stories</h2>
          <FeaturedBlock stories={featured} labelled />
        </section>
      )}
      <section className="mt-14 border-t-2 border-ink pt-5 lg:mt-20 dark:border-line-strong">
        <div className="flex items-end justify-between gap-4">
          <h2 className="display text-t3">Latest Stories</h2>
          <Link
            to="/all-posts"
            className="inline-flex items-center gap-1.5 whitespace-nowrap text-base font-medium text-accent-ink underline-offset-4 hover:underline"
          >
            Explore More
            <ArrowRight aria-hidden className="size-4 shrink-0" />
          </Link>
        </div>
        <NewStoriesButton stories={fresh} />
        {listing.posts.length > 0 ? (
          <StoryGrid key={`${fresh.shown} ${search}`} listing={listing} columns={3} moreLabel="Load More Posts" className="mt-9" />
        ) : (
          <EmptyState art={search ? "search" : "write"} title={search ? "No matches found" : "No stories yet"} heading="h3" />
        )}
      </section>
    </div>
  );
}

const never = () => () => {};

/** The server doesn't know what time it is where the reader sits; the browser corrects its guess. */
function Greeting() {
  const { now } = useRoot();
  const hour = useSyncExternalStore(
    never,
    () => new Date().getHours(),
    () => new Date(now).getUTCHours(),
  );
  return <p className="text-md text-ink-2">{greeting(hour)}</p>;
}
