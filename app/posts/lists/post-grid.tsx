import { CardSkeletons } from "#app/ui/skeleton.tsx";
import type { PostCard as Post } from "#domain/posts/post.ts";
import { LoadMore } from "./load-more.tsx";
import { type PagedPosts, usePagedList } from "./paged-list.ts";
import { Byline, Excerpt, PostCard, PostCounts, PostCover, PostTitle } from "./post-card.tsx";

export const threeColumns = "grid gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-3";

type PostGridProps = {
  listing: PagedPosts;
  /** Stories that are on the page already: shown without cover. */
  above: ReadonlySet<string>;
};

/** The number of cards, two rows of three or three rows of two, before a story as wide as the grid. */
const cardsBetween = 6;

export function PostGrid({ listing, above }: PostGridProps) {
  const list = usePagedList(listing);
  return (
    <div className="mt-9">
      <div aria-busy={list.loading} className={threeColumns}>
        {list.posts.map((post, index) => {
          const Shape = above.has(post.id) ? TextPost : index % (cardsBetween + 1) === cardsBetween ? WidePost : PostCard;
          return <Shape key={post.id} post={post} first={index < 3} />;
        })}
        {list.slow && <CardSkeletons count={4} />}
      </div>
      <LoadMore list={list} label="Load More Posts" />
    </div>
  );
}

type ShapeProps = { post: Post; first?: boolean | undefined };

/** For a story whose cover is on the page already. */
function TextPost({ post }: ShapeProps) {
  return (
    <article className="flex min-w-0 flex-col border-t-2 border-ink pt-4 dark:border-line-strong">
      <Byline post={post} />
      <h3 dir="auto" className="display mt-2.5 text-t3">
        <PostTitle post={post} />
      </h3>
      <Excerpt post={post} className="teaser large mt-2" />
      <PostCounts post={post} className="mt-3" />
    </article>
  );
}

/** A card as wide as the grid. */
function WidePost({ post, first }: ShapeProps) {
  return (
    <article className="col-span-full grid min-w-0 items-center gap-x-8 gap-y-4 border-y border-line py-8 sm:grid-cols-2 lg:gap-x-12">
      <PostCover post={post} sizes="(min-width: 80rem) 568px, (min-width: 40rem) 46vw, 92vw" first={first} />
      <div className="min-w-0">
        <Byline post={post} size={28} />
        <h3 dir="auto" className="display mt-3 text-t3 lg:text-d1">
          <PostTitle post={post} />
        </h3>
        <Excerpt post={post} className="teaser large mt-3" />
        <PostCounts post={post} className="mt-4" />
      </div>
    </article>
  );
}
