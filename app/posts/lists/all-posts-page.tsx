import { data } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { isPostView, type PostView, readView, viewCookie } from "#app/posts/post-view.ts";
import { FailedPage } from "#app/shell/failed-page.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { ScrollToTop } from "#app/shell/scroll-to-top.tsx";
import { column } from "#app/ui/panel.tsx";
import type { SharedPageHandle } from "#app/ui/personal.tsx";
import { CardSkeletons, RowSkeletons } from "#app/ui/skeleton.tsx";
import { listTexts } from "#domain/pages/list-texts.ts";
import { readAllPosts } from "#domain/posts/post-reads.server.ts";
import { requirePostListing } from "#domain/settings/features.ts";
import type { Route } from "./+types/all-posts-page.ts";
import { AllPostsHead } from "./all-posts-head.tsx";
import { BrowsingFooter, JoinOurCommunity, NoPostsYet } from "./all-posts-parts.tsx";
import { LoadMore } from "./load-more.tsx";
import { LoadingList, useAnotherList } from "./loading-list.tsx";
import { NewPostsButton, useNewPosts } from "./new-posts.tsx";
import { type PagedList, usePagedList } from "./paged-list.ts";
import { PostCard } from "./post-card.tsx";
import { PostListRow } from "./post-list-row.tsx";

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const viewer = context.get(viewerContext);
  requirePostListing(site, viewer);
  const { searchParams: query } = url;
  const after = query.get("after");
  const cursor = site.events.latest();
  const { posts, next, ...rest } = await readAllPosts(site, {
    ...{ limit: 12, after },
    ...{ search: query.get("q")?.trim() ?? "", sort: query.get("sort") },
  });
  const chosen = query.get("view");
  const view = isPostView(chosen) ? chosen : readView(request, viewer?.id);
  return data(
    { listing: { posts, next, after }, ...rest, view, filters: query.has("filters"), cursor },
    isPostView(chosen) ? { headers: { "set-cookie": viewCookie(viewer?.id, chosen) } } : {},
  );
}

export const handle: SharedPageHandle = { shared: true };

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches, { title: "All Stories", path: matches[0].loaderData?.site.listingPublic ? "/all-posts" : undefined });
}

export default function AllPostsPage({ loaderData: page }: Route.ComponentProps) {
  const { listing, sort, view, cursor } = page;
  const { viewer, search } = useRoot();
  const newPosts = useNewPosts(listing, { cursor, search, sorted: sort !== "newest" });
  const list = usePagedList(listing, `${newPosts.shown} ${sort} ${search} ${listing.after}`);
  const another = useAnotherList();
  const Skeletons = skeletons[view];
  return (
    <div className={`${column} pt-8 pb-16 lg:pt-12 lg:pb-24`}>
      <AllPostsHead page={page} shown={list.posts.length} refresh={newPosts.show} />
      <NewPostsButton count={newPosts.count} onShow={newPosts.show} />
      {another ? (
        <LoadingList className={layouts[view]}>
          <Skeletons count={8} />
        </LoadingList>
      ) : list.posts.length > 0 ? (
        <>
          <PostPanel list={list} view={view} />
          <LoadMore list={list} label="Load More Stories" />
        </>
      ) : (
        <NoPostsYet search={search} />
      )}
      {list.posts.length > 0 && <BrowsingFooter page={page} shown={list.posts.length} />}
      {list.posts.length > 8 && <ScrollToTop className={`size-11! ${viewer ? "bottom-5" : "bottom-20"}`} />}
      {!viewer && <JoinOurCommunity />}
    </div>
  );
}

const fourColumns = "(min-width: 80rem) 289px, (min-width: 64rem) 30vw, (min-width: 40rem) 46vw, 92vw";
const layouts = { grid: "mt-10 grid gap-x-7 gap-y-12 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4", list: "mt-6" };
const skeletons = { grid: CardSkeletons, list: RowSkeletons };

function PostPanel({ list, view }: { list: PagedList; view: PostView }) {
  const Skeletons = skeletons[view];
  return (
    <div aria-busy={list.loading} className={layouts[view]}>
      {list.posts.map((post, index) =>
        view === "grid" ? (
          <PostCard key={post.id} post={post} titleSize="t1" heading="h2" sizes={fourColumns} first={index < 4} />
        ) : (
          <PostListRow key={post.id} post={post} heading="h2" />
        ),
      )}
      {list.slow && <Skeletons count={4} />}
    </div>
  );
}

export function ErrorBoundary() {
  return <FailedPage text={listTexts.posts} reload />;
}
