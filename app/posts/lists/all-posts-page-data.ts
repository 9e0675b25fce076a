import type { PostView } from "#app/posts/post-view.ts";
import type { AllPosts } from "#domain/posts/post-reads.server.ts";
import type { PostPage } from "./paged-list.ts";

export type AllPostsPageData = Omit<AllPosts, "posts" | "next"> & {
  listing: PostPage;
  view: PostView;
  filters: boolean;
  cursor: string;
};
