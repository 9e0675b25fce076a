import type { PostView } from "#app/posts/post-view.ts";
import type { AllPosts } from "#domain/posts/post-reads.server.ts";
import type { PagedPosts } from "./paged-list.ts";

export type AllPostsPageData = Omit<AllPosts, "posts" | "next"> & {
  listing: PagedPosts;
  view: PostView;
  filters: boolean;
  cursor: string;
};
