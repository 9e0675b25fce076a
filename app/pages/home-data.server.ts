import { withFallback } from "#app/shell/with-fallback.server.ts";
import { listFollowedPosts } from "#domain/follows/following-feed.server.ts";
import { cutForExcerpt, excerptLengths } from "#domain/format.ts";
import { readHomeStats } from "#domain/pages/home.server.ts";
import type { PostCard } from "#domain/posts/post.ts";
import { listLatest, listMarked } from "#domain/posts/post-reads.server.ts";
import { readCached } from "#domain/read-cached.server.ts";
import { listTrending, type Paging, type PostListPage } from "#domain/search/lists.server.ts";
import type { Member, Site } from "#domain/site.ts";
import { type HomeTab, homeTabs } from "./home-tabs.ts";

export type HomeData = Awaited<ReturnType<typeof loadHome>>;

/** Stats are loaded with documents only. */
export async function loadHome(site: Site, viewer: Member, { url, isDocument }: { url: URL; isDocument: boolean }) {
  const after = url.searchParams.get("after");
  const tab: HomeTab = homeTabs.find((each) => each === url.searchParams.get("tab")) ?? "all";
  const cursor = site.events.latest();
  const readShared = (name: string, list: () => Promise<PostCard[]>) => {
    const cards = async () => (await list()).map(toHomeCard);
    return after ? [] : withFallback(site, readCached(site, `home ${name}`, cards), []);
  };
  const [featured, pinned, list, stats] = await Promise.all([
    readShared("featured", () => listMarked(site, "featured", 5)),
    readShared("pinned", () => listMarked(site, "pinned", 3)),
    listTab(site, viewer, tab, { limit: 12, after, search: url.searchParams.get("q")?.trim() ?? "" }),
    // On client navigations the browser has cached stats, or requests them.
    isDocument ? withFallback(site, readHomeStats(site, viewer), null) : null,
  ]);
  const personal = { viewerId: viewer.id, stats };
  return { page: "home" as const, personal, tab, featured, pinned, listing: { ...list, after }, cursor };
}

async function readLatest(site: Site, paging: Paging): Promise<PostListPage> {
  const page = await listLatest(site, paging);
  return { ...page, posts: page.posts.map(toHomeCard) };
}

/** Cuts the text to what a card shows. */
function toHomeCard(post: PostCard): PostCard {
  return { ...post, summary: cutForExcerpt(post.summary, excerptLengths.other) };
}

function listTab(site: Site, viewer: Member, tab: HomeTab, { search, ...paging }: Paging & { search: string }): Promise<PostListPage> {
  const lists: Record<HomeTab, () => Promise<PostListPage>> = {
    all: () =>
      search ? listLatest(site, { search, ...paging }) : readCached(site, `latest ${paging.after ?? ""}`, () => readLatest(site, paging)),
    trending: () => listTrending(site, { search, ...paging }),
    following: () => listFollowedPosts(site, viewer, { search, ...paging }),
  };
  return lists[tab]();
}
