import { Eye, Plus } from "lucide-react";
import { type StoryListing, useGrowingList } from "#app/posts/growing-list.ts";
import { LoadMore } from "#app/posts/load-more.tsx";
import { StoryTitle, storyExcerpt, storyPath } from "#app/posts/story-card.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Picture } from "#app/ui/picture.tsx";
import type { StoryCard as Story } from "#domain/posts/post.ts";
import { excerptLengths, shortDate } from "#domain/wording.ts";

/** One's own drafts. */
export function DraftList({ listing }: { listing: StoryListing }) {
  const list = useGrowingList(listing);
  return (
    <section className="pt-8 lg:pt-10">
      <div className="flex flex-wrap items-end justify-between gap-4 border-b border-line pb-6">
        <h2 className="display text-t3">Drafts</h2>
        <ButtonLink to="/add-post" variant="primary" icon={Plus}>
          New Draft
        </ButtonLink>
      </div>
      {list.stories.length === 0 && <EmptyState art="write" title="No drafts" heading="h3" className="py-14" />}
      {list.stories.map((story) => (
        <Draft key={story.id} story={story} />
      ))}
      <LoadMore list={list} label="Load More Posts" />
    </section>
  );
}

function Draft({ story }: { story: Story }) {
  return (
    <article className="grid items-start gap-4 border-b border-line py-6 sm:grid-cols-[176px_minmax(0,1fr)] sm:gap-6">
      <Picture file={story.featuredImage} sizes="176px" className="rounded-md max-sm:hidden" />
      <div className="min-w-0">
        <div className="num flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-3">
          <Badge dot="hollow">Draft</Badge>
          <span>Created {shortDate(story.createdAt)}</span>
          <span>Updated {shortDate(story.updatedAt)}</span>
        </div>
        <h3 className="display mt-2 break-words text-t2">
          <StoryTitle story={story} />
        </h3>
        <p className="mt-1.5 max-w-[46rem] break-words font-reading text-base leading-[1.6] text-ink-2">
          {storyExcerpt(story, excerptLengths.own)}
        </p>
        <div className="mt-3 -ml-2.5 flex flex-wrap items-center gap-x-1 gap-y-2">
          <ButtonLink to={storyPath(story)} variant="ghost" size="sm" icon={Eye} className="h-9! px-2.5! max-lg:h-11!">
            Preview
          </ButtonLink>
        </div>
      </div>
    </article>
  );
}
