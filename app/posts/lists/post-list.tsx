import { type PostListing, useGrowingList } from "./growing-list.ts";
import { LoadMore } from "./load-more.tsx";
import { PostListRow } from "./post-list-row.tsx";

export function PostList({ listing, moreLabel }: { listing: PostListing; moreLabel: string }) {
  const list = useGrowingList(listing);
  return (
    <div aria-busy={list.loading}>
      {list.stories.map((story) => (
        <PostListRow key={story.id} story={story} ofOneWriter heading="h2" />
      ))}
      <LoadMore list={list} label={moreLabel} />
    </div>
  );
}
