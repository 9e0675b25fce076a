import { siteContext, viewerContext } from "#app/context.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { column } from "#app/ui/panel.tsx";
import { mustBeAllowed } from "#domain/permissions.ts";
import { countPublished, listLatest } from "#domain/posts/post-reads.server.ts";
import type { Route } from "./+types/all-posts-page.ts";
import { NewStoriesButton, useNewStories } from "./new-stories.tsx";
import { StoryGrid } from "./story-grid.tsx";

export async function loader({ url, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  mustBeAllowed(context.get(viewerContext), "list all stories");
  const after = url.searchParams.get("after");
  const search = url.searchParams.get("q")?.trim() || undefined;
  const cursor = site.events.latest();
  const [stories, count] = await Promise.all([listLatest(site, { limit: 12, after, search }), countPublished(site)]);
  return { listing: { ...stories, after }, count, cursor };
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches, { title: "All Stories" });
}

export default function AllPostsPage({ loaderData: { listing, count, cursor } }: Route.ComponentProps) {
  const { search } = useRoot();
  const fresh = useNewStories(listing, { cursor, search });
  return (
    <div className={`${column} pt-8 pb-16 lg:pt-12 lg:pb-24`}>
      <h1 className="display text-d1 font-[480]! lg:text-d3">All Stories</h1>
      <p className="num mt-3 text-md break-words text-ink-2">
        {search ? (
          <>
            Stories that match <span className="font-medium text-ink">“{search}”</span>
          </>
        ) : (
          `${count} ${count === 1 ? "story" : "stories"}`
        )}
      </p>
      <NewStoriesButton stories={fresh} />
      {listing.posts.length > 0 ? (
        <StoryGrid
          key={`${fresh.shown} ${search}`}
          listing={listing}
          columns={4}
          moreLabel="Load More Stories"
          heading="h2"
          className="mt-10"
        />
      ) : (
        <Nothing search={search} />
      )}
    </div>
  );
}

function Nothing({ search }: { search: string }) {
  if (search)
    return (
      <EmptyState art="search" title={`No stories found for “${search}”`}>
        <ButtonLink to="/all-posts">Clear Search</ButtonLink>
        <ButtonLink to="/">Browse All</ButtonLink>
      </EmptyState>
    );
  return (
    <EmptyState art="write" title="No stories yet">
      <ButtonLink to="/add-post" variant="primary">
        Share Your Story
      </ButtonLink>
      <ButtonLink to="/profile">My Profile</ButtonLink>
    </EmptyState>
  );
}
