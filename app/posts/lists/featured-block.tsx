import { Badge } from "#app/ui/badge.tsx";
import { Pin, Star } from "#app/ui/icons.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { excerptLengths } from "#domain/format.ts";
import type { PostCard as Post } from "#domain/posts/post.ts";
import { Byline, Excerpt, PostCounts, PostCover, PostTitle } from "./post-card.tsx";
import { AuthorAndTime, CompactPost } from "./post-list-row.tsx";

type FeaturedBlockProps = {
  posts: Post[];
  labeled?: boolean | undefined;
};

export function FeaturedBlock({ posts, labeled }: FeaturedBlockProps) {
  const [lead, ...others] = posts;
  if (!lead) return null;
  return (
    <div className="grid gap-x-12 gap-y-10 lg:grid-cols-12">
      <LeadPost post={lead} labeled={labeled} />
      <div className="flex flex-col lg:col-span-5">
        {others.map((post, index) => (
          <CompactPost key={post.id} post={post} label={labeled ? `FEATURED #${index + 2}` : undefined} />
        ))}
      </div>
    </div>
  );
}

function LeadPost({ post, labeled }: { post: Post; labeled?: boolean | undefined }) {
  return (
    <article className="min-w-0 lg:col-span-7">
      <PostCover post={post} first sizes="(min-width: 80rem) 703px, (min-width: 64rem) 55vw, 92vw">
        {labeled && (
          <span className="absolute top-4 left-4">
            <Badge tone="solid" className="h-6 gap-1.5">
              <Star aria-hidden className="size-3 shrink-0 fill-current" />
              FEATURED
            </Badge>
          </span>
        )}
      </PostCover>
      <Byline post={post} size={28} className="mt-6" />
      <h3 dir="auto" className="display mt-3 text-t3 lg:text-d1">
        <PostTitle post={post} />
      </h3>
      <Excerpt post={post} length={excerptLengths.other} className="mt-3 text-pretty font-reading text-lg leading-[1.6]! text-ink-2" />
      <PostCounts post={post} className="mt-4" />
    </article>
  );
}

export function PinnedPost({ post }: { post: Post }) {
  return (
    <article className="flex min-w-0 items-start gap-5 rounded-lg border border-line bg-raised p-5">
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-1.5 text-xs font-semibold text-accent-ink">
          <Pin aria-hidden className="size-3.5 shrink-0" />
          Pinned
        </div>
        <h3 dir="auto" className="display mt-2 text-t1">
          <PostTitle post={post} />
        </h3>
        <AuthorAndTime post={post} className="mt-3" />
      </div>
      <Picture file={post.featuredImage} shape="square" sizes="96px" className="w-24 shrink-0 rounded-md md:max-lg:hidden" />
    </article>
  );
}
