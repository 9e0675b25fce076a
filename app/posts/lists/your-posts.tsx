import { OwnListHead } from "#app/drafts/own-list-head.tsx";
import { OwnPost } from "#app/drafts/own-post-row.tsx";
import type { OwnPosts } from "#app/drafts/own-posts.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { LoadMore } from "./load-more.tsx";
import { usePagedList } from "./paged-list.ts";

/** Specification §2, My posts screen. */
export function YourPosts({ own }: { own: OwnPosts }) {
  const list = usePagedList(own.listing, own.search);
  const { published } = own.counts;
  return (
    <section className="pt-8 lg:pt-10">
      <OwnListHead
        title="Your Posts"
        count={`${published} ${published === 1 ? "post" : "posts"} published`}
        tab="posts"
        search={own.search}
        placeholder="Search your posts..."
        newLabel="New Post"
        isEmpty={list.posts.length === 0 && own.search === ""}
      />
      {list.posts.length === 0 && <NoPosts search={own.search} />}
      {list.posts.map((post) => (
        <OwnPost key={post.id} post={post} tab="posts" />
      ))}
      <LoadMore list={list} label="Load More Posts" />
    </section>
  );
}

function NoPosts({ search }: { search: string }) {
  if (search)
    return <EmptyState art="search" title="No posts found" text="Try adjusting your search terms" heading="h3" className="py-14" />;
  return (
    <EmptyState art="write" title="No posts yet" text="Start writing your first blog post" heading="h3" className="py-14">
      <ButtonLink to="/add-post" variant="primary">
        Create Your First Post
      </ButtonLink>
    </EmptyState>
  );
}
