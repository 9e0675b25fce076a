import { useLiveProfile } from "#app/live/live-profiles.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Clock, Eye, Heart } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Picture, type PictureProps } from "#app/ui/picture.tsx";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import { cardFallbacks, excerpt, excerptLengths, readMinutes, shortCount } from "#domain/format.ts";
import type { PostCard as Post } from "#domain/posts/post.ts";

export function storyPath(story: Pick<Post, "id">): string {
  return `/post/${encodeURIComponent(story.id)}`;
}

type PostCardProps = {
  story: Post;
  /** `t1` for four in a row. */
  titleSize?: "t1" | "t2" | undefined;
  heading?: "h2" | "h3" | undefined;
  sizes?: string | undefined;
  first?: boolean | undefined;
};

const threeColumns = "(min-width: 64rem) 392px, (min-width: 40rem) 46vw, 92vw";

export function PostCard({ story, titleSize = "t2", heading: Heading = "h3", sizes = threeColumns, first }: PostCardProps) {
  return (
    <article className="flex min-w-0 flex-col">
      <PostCover story={story} sizes={sizes} first={first} />
      <Byline story={story} className="mt-4" />
      <Heading dir="auto" className={classNames("display mt-2.5", titleSize === "t1" ? "text-t1" : "text-t2")}>
        <PostTitle story={story} />
      </Heading>
      <Excerpt story={story} className="teaser mt-2" />
      <PostCounts story={story} className="mt-3" />
    </article>
  );
}

type ShapeProps = { story: Post; first?: boolean | undefined };

/** For a story whose cover is on the page already. */
export function TextPost({ story }: ShapeProps) {
  return (
    <article className="flex min-w-0 flex-col border-t-2 border-ink pt-4 dark:border-line-strong">
      <Byline story={story} />
      <h3 dir="auto" className="display mt-2.5 text-t3">
        <PostTitle story={story} />
      </h3>
      <Excerpt story={story} className="teaser large mt-2" />
      <PostCounts story={story} className="mt-3" />
    </article>
  );
}

/** A card as wide as the grid. */
export function WidePost({ story, first }: ShapeProps) {
  return (
    <article className="col-span-full grid min-w-0 items-center gap-x-8 gap-y-4 border-y border-line py-8 sm:grid-cols-2 lg:gap-x-12">
      <PostCover story={story} sizes="(min-width: 80rem) 568px, (min-width: 40rem) 46vw, 92vw" first={first} />
      <div className="min-w-0">
        <Byline story={story} size={28} />
        <h3 dir="auto" className="display mt-3 text-t3 lg:text-d1">
          <PostTitle story={story} />
        </h3>
        <Excerpt story={story} className="teaser large mt-3" />
        <PostCounts story={story} className="mt-4" />
      </div>
    </article>
  );
}

type ExcerptProps = { story: Post; length?: number | undefined; className: string };

export function Excerpt({ story, length = excerptLengths.grid, className }: ExcerptProps) {
  return (
    <p dir="auto" className={className}>
      {storyExcerpt(story, length)}
    </p>
  );
}

export function storyExcerpt({ summary, textless }: Pick<Post, "summary" | "textless">, length: number): string {
  return excerpt(summary, length) || (textless ? cardFallbacks.unavailable : cardFallbacks.excerpt);
}

export function PostCover({ story, ...picture }: { story: Post } & Omit<PictureProps, "file">) {
  return (
    <Link to={storyPath(story)} tabIndex={-1} aria-hidden="true" className="block">
      <Picture file={story.featuredImage} {...picture} />
    </Link>
  );
}

export function PostTitle({ story }: { story: Post }) {
  return (
    <Link to={storyPath(story)} className="title-link">
      {story.title || "Untitled Post"}
    </Link>
  );
}

export function Byline({ story, size = 24, className }: { story: Post; size?: number; className?: string | undefined }) {
  const { now } = useRoot();
  const author = useLiveProfile({ id: story.userId, name: story.userName, profileImage: story.profileImage });
  const name = author.name || cardFallbacks.author;
  return (
    <div className={classNames("byline", className)}>
      <Avatar id={author.id} name={name} profileImage={author.profileImage} size={size} />
      <Link to={`/profile/${story.userId}`}>{name}</Link>
      <TimeAgo time={story.publishedAt} now={now} />
    </div>
  );
}

type FiguresProps = { story: Post; likes?: boolean | undefined; className?: string | undefined };

export function PostCounts({ story, likes, className }: FiguresProps) {
  return (
    <div className={classNames("num figures", className)}>
      <span>
        <Clock aria-hidden />
        {`${readMinutes(story.words)} min read`}
      </span>
      <span>
        <Eye aria-hidden />
        <span>
          {shortCount(story.views)}
          <span className={likes ? "max-sm:sr-only" : undefined}>{story.views === 1 ? " view" : " views"}</span>
        </span>
      </span>
      {likes && (
        <span>
          <Heart aria-hidden />
          {shortCount(story.likesCount)}
          <span className="sr-only">{story.likesCount === 1 ? " like" : " likes"}</span>
        </span>
      )}
    </div>
  );
}
