import type { StoryView } from "#app/posts/story-view.ts";
import type { AllStories } from "#domain/posts/all-stories.server.ts";
import type { StoryListing } from "./growing-list.ts";

export type AllStoriesPageData = Omit<AllStories, "posts" | "next"> & {
  listing: StoryListing;
  view: StoryView;
  filters: boolean;
  cursor: string;
};
