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

export function postPath(post: Pick<Post, "id">): string {
  return `/post/${encodeURIComponent(post.id)}`;
}

type PostCardProps = {
  post: Post;
  /** `t1` for four in a row. */
  titleSize?: "t1" | "t2" | undefined;
  heading?: "h2" | "h3" | undefined;
  sizes?: string | undefined;
  first?: boolean | undefined;
};

const threeColumns = "(min-width: 64rem) 392px, (min-width: 40rem) 46vw, 92vw";

export function PostCard({ post, titleSize = "t2", heading: Heading = "h3", sizes = threeColumns, first }: PostCardProps) {
  return (
    <article className="flex min-w-0 flex-col">
      <PostCover post={post} sizes={sizes} first={first} />
      <Byline post={post} className="mt-4" />
      <Heading dir="auto" className={classNames("display mt-2.5", titleSize === "t1" ? "text-t1" : "text-t2")}>
        <PostTitle post={post} />
      </Heading>
      <Excerpt post={post} className="teaser mt-2" />
      <PostCounts post={post} className="mt-3" />
    </article>
  );
}

type ExcerptProps = { post: Post; length?: number | undefined; className: string };

export function Excerpt({ post, length = excerptLengths.grid, className }: ExcerptProps) {
  return (
    <p dir="auto" className={className}>
      {postExcerpt(post, length)}
    </p>
  );
}

export function postExcerpt({ summary, textless }: Pick<Post, "summary" | "textless">, length: number): string {
  return excerpt(summary, length) || (textless ? cardFallbacks.unavailable : cardFallbacks.excerpt);
}

export function PostCover({ post, ...picture }: { post: Post } & Omit<PictureProps, "file">) {
  return (
    <Link to={postPath(post)} tabIndex={-1} aria-hidden="true" className="block">
      <Picture file={post.featuredImage} {...picture} />
    </Link>
  );
}

export function PostTitle({ post }: { post: Post }) {
  return (
    <Link to={postPath(post)} className="title-link">
      {post.title || "Untitled Post"}
    </Link>
  );
}

export function Byline({ post, size = 24, className }: { post: Post; size?: number; className?: string | undefined }) {
  const { now } = useRoot();
  const author = useLiveProfile({ id: post.userId, name: post.userName, profileImage: post.profileImage });
  const name = author.name || cardFallbacks.author;
  return (
    <div className={classNames("byline", className)}>
      <Avatar id={author.id} name={name} profileImage={author.profileImage} size={size} />
      <Link to={`/profile/${post.userId}`}>{name}</Link>
      <TimeAgo time={post.publishedAt} now={now} />
    </div>
  );
}

type FiguresProps = { post: Post; likes?: boolean | undefined; className?: string | undefined };

export function PostCounts({ post, likes, className }: FiguresProps) {
  return (
    <div className={classNames("num counts", className)}>
      <span>
        <Clock aria-hidden />
        {`${readMinutes(post.words)} min read`}
      </span>
      <span>
        <Eye aria-hidden />
        <span>
          {shortCount(post.views)}
          <span className={likes ? "max-sm:sr-only" : undefined}>{post.views === 1 ? " view" : " views"}</span>
        </span>
      </span>
      {likes && (
        <span>
          <Heart aria-hidden />
          {shortCount(post.likesCount)}
          <span className="sr-only">{post.likesCount === 1 ? " like" : " likes"}</span>
        </span>
      )}
    </div>
  );
}
