import { classNames } from "#app/ui/class-names.ts";
import { CardSkeletons } from "#app/ui/skeleton.tsx";
import { LoadMore } from "./load-more.tsx";
import { type PagedList, type PagedPosts, usePagedList } from "./paged-list.ts";
import { PostCard, TextPost, WidePost } from "./post-card.tsx";

const columns = {
  3: "gap-x-8 sm:grid-cols-2 lg:grid-cols-3",
  4: "gap-x-7 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4",
};

type CardsProps = {
  columns: 3 | 4;
  heading?: "h2" | "h3";
  className?: string | undefined;
};

type PostGridProps = Omit<CardsProps, "columns"> & {
  listing: PagedPosts;
  moreLabel: string;
  /** Stories that are on the page already: shown without cover. */
  above: ReadonlySet<string>;
};

/** The number of cards, two rows of three or three rows of two, before a story as wide as the grid. */
const cardsBetween = 6;

export function PostGrid({ listing, moreLabel, above, className }: PostGridProps) {
  const list = usePagedList(listing);
  return (
    <div className={className}>
      <div aria-busy={list.loading} className={classNames("grid gap-y-12", columns[3])}>
        {list.posts.map((post, index) => {
          const Shape = above.has(post.id) ? TextPost : index % (cardsBetween + 1) === cardsBetween ? WidePost : PostCard;
          return <Shape key={post.id} post={post} first={index < 3} />;
        })}
        {list.loading && <CardSkeletons count={4} />}
      </div>
      <LoadMore list={list} label={moreLabel} />
    </div>
  );
}

export function PostCards({ list, columns: count, heading, className }: CardsProps & { list: PagedList }) {
  return (
    <div aria-busy={list.loading} className={classNames("grid gap-y-12", columns[count], className)}>
      {list.posts.map((post, index) => (
        <PostCard
          key={post.id}
          post={post}
          titleSize={count === 4 ? "t1" : "t2"}
          {...(heading ? { heading } : {})}
          {...(count === 4 ? { sizes: "(min-width: 80rem) 289px, (min-width: 64rem) 30vw, (min-width: 40rem) 46vw, 92vw" } : {})}
          first={index < count}
        />
      ))}
      {list.loading && <CardSkeletons count={4} />}
    </div>
  );
}
