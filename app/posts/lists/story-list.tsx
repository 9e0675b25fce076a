import { type StoryListing, useGrowingList } from "./growing-list.ts";
import { LoadMore } from "./load-more.tsx";
import { StoryRow } from "./story-row.tsx";

export function StoryList({ listing, moreLabel }: { listing: StoryListing; moreLabel: string }) {
  const list = useGrowingList(listing);
  return (
    <div aria-busy={list.loading}>
      {list.stories.map((story) => (
        <StoryRow key={story.id} story={story} ofOneWriter heading="h2" />
      ))}
      <LoadMore list={list} label={moreLabel} />
    </div>
  );
}
