import { shortDate } from "#domain/dates.ts";
import { cardFallbacks, excerptLengths, readMinutes } from "#domain/format.ts";
import type { PostCard as Post } from "#domain/posts/post.ts";
import { Byline, Excerpt, PostCounts, PostCover, PostTitle } from "./post-card.tsx";

type PostRowProps = {
  story: Post;
  /** On a writer's page the date replaces the byline. */
  ofOneWriter?: boolean | undefined;
  heading?: "h2" | "h3" | undefined;
};

export function PostListRow({ story, ofOneWriter, heading: Heading = "h3" }: PostRowProps) {
  return (
    <article className="grid grid-cols-[minmax(0,1fr)_104px] items-start gap-4 border-b border-line py-6 sm:grid-cols-[minmax(0,1fr)_248px] sm:gap-10 sm:py-7">
      <div className="min-w-0">
        {ofOneWriter ? <PostDate time={story.publishedAt} /> : <Byline story={story} />}
        <Heading dir="auto" className="display mt-2 text-t1 sm:text-[1.625rem]">
          <PostTitle story={story} />
        </Heading>
        <Excerpt story={story} length={excerptLengths.list} className="teaser mt-2 max-w-[44rem] leading-[1.6] max-sm:hidden" />
        <PostCounts story={story} likes className="mt-3" />
      </div>
      <PostCover story={story} shape="thumb-then-cover" sizes="(min-width: 40rem) 248px, 104px" />
    </article>
  );
}

function PostDate({ time }: { time: number | null }) {
  if (time === null) return null;
  return (
    <time dateTime={new Date(time).toISOString()} className="num text-sm text-ink-3">
      {shortDate(time)}
    </time>
  );
}

export function CompactPost({ story, label }: { story: Post; label?: string | undefined }) {
  return (
    <article className="compact-post">
      <div className="min-w-0">
        {label && <div className="num mb-1.5 text-xs font-semibold tracking-[.02em] text-accent-ink">{label}</div>}
        <h3 dir="auto" className="display text-t1">
          <PostTitle story={story} />
        </h3>
        <AuthorAndTime story={story} className="mt-2" />
      </div>
      <PostCover story={story} sizes="152px" className="rounded-md" />
    </article>
  );
}

export function AuthorAndTime({ story, className }: { story: Post; className: string }) {
  return (
    <div className={`flex flex-wrap gap-x-2 text-sm text-ink-3 ${className}`}>
      <span dir="auto" className="min-w-0 font-medium text-ink-2">
        {story.userName || cardFallbacks.author}
      </span>
      <span className="num">{`${readMinutes(story.words)} min read`}</span>
    </div>
  );
}
