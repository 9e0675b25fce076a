import { shortDate } from "#domain/dates.ts";
import { cardFallbacks, excerptLengths, readMinutes } from "#domain/format.ts";
import type { PostCard as Post } from "#domain/posts/post.ts";
import { Byline, Excerpt, PostCounts, PostCover, PostTitle } from "./post-card.tsx";

type PostRowProps = {
  post: Post;
  /** On a writer's page the date replaces the byline. */
  ofOneWriter?: boolean | undefined;
  heading?: "h2" | "h3" | undefined;
};

export function PostListRow({ post, ofOneWriter, heading: Heading = "h3" }: PostRowProps) {
  return (
    <article className="grid grid-cols-[minmax(0,1fr)_104px] items-start gap-4 border-b border-line py-6 sm:grid-cols-[minmax(0,1fr)_248px] sm:gap-10 sm:py-7">
      <div className="min-w-0">
        {ofOneWriter ? <PostDate time={post.publishedAt} /> : <Byline post={post} />}
        <Heading dir="auto" className="display mt-2 text-t1 sm:text-[1.625rem]">
          <PostTitle post={post} />
        </Heading>
        <Excerpt post={post} length={excerptLengths.list} className="teaser mt-2 max-w-[44rem] leading-[1.6] max-sm:hidden" />
        <PostCounts post={post} likes className="mt-3" />
      </div>
      <PostCover post={post} shape="thumb-then-cover" sizes="(min-width: 40rem) 248px, 104px" />
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

export function CompactPost({ post, label }: { post: Post; label?: string | undefined }) {
  return (
    <article className="compact-post">
      <div className="min-w-0">
        {label && <div className="num mb-1.5 text-xs font-semibold tracking-[.02em] text-accent-ink">{label}</div>}
        <h3 dir="auto" className="display text-t1">
          <PostTitle post={post} />
        </h3>
        <AuthorAndTime post={post} className="mt-2" />
      </div>
      <PostCover post={post} sizes="152px" className="rounded-md" />
    </article>
  );
}

export function AuthorAndTime({ post, className }: { post: Post; className: string }) {
  return (
    <div className={`flex flex-wrap gap-x-2 text-sm text-ink-3 ${className}`}>
      <span dir="auto" className="min-w-0 font-medium text-ink-2">
        {post.userName || cardFallbacks.author}
      </span>
      <span className="num">{`${readMinutes(post.words)} min read`}</span>
    </div>
  );
}
