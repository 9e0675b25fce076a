import { CardSkeletons } from "#app/ui/skeleton.tsx";
import { LoadMore } from "./load-more.tsx";
import { type PagedList, type PagedPosts, usePagedList } from "./paged-list.ts";
import { PostCard, TextPost, WidePost } from "./post-card.tsx";

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
      <div aria-busy={list.loading} className="grid gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-3">
        {list.posts.map((post, index) => {
          const Shape = above.has(post.id) ? TextPost : index % (cardsBetween + 1) === cardsBetween ? WidePost : PostCard;
          return <Shape key={post.id} post={post} first={index < 3} />;
        })}
        {list.loading && <CardSkeletons count={4} />}
      </div>
      <LoadMore list={list} label="Load More Posts" />
    </div>
  );
}

/** Four in a row. */
export function PostCards({ list }: { list: PagedList }) {
  return (
    <div aria-busy={list.loading} className="mt-10 grid gap-x-7 gap-y-12 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
      {list.posts.map((post, index) => (
        <PostCard
          key={post.id}
          post={post}
          titleSize="t1"
          heading="h2"
          sizes="(min-width: 80rem) 289px, (min-width: 64rem) 30vw, (min-width: 40rem) 46vw, 92vw"
          first={index < 4}
        />
      ))}
      {list.loading && <CardSkeletons count={4} />}
    </div>
  );
}
