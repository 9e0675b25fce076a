import { siteContext, viewerContext } from "#app/context.ts";
import { orFailedPage } from "#app/posts/growing-list.ts";
import { FailedPage } from "#app/shell/failed-page.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { listFollowedStories } from "#domain/follows/following-feed.server.ts";
import { readHomeFigures } from "#domain/pages/home.server.ts";
import { readLandingFigures } from "#domain/pages/landing.server.ts";
import { landingLimits, noFigures } from "#domain/pages/landing.ts";
import { listTexts } from "#domain/pages/list-texts.ts";
import { listTrending, type Paging, type StoryPage } from "#domain/posts/lists.server.ts";
import { listFeatured, listLatest, listPinned } from "#domain/posts/post-reads.server.ts";
import type { Member, Site } from "#domain/site.ts";
import { readTally } from "#domain/tallies/tallies.server.ts";
import type { Route } from "./+types/index-page.ts";
import { Home } from "./home.tsx";
import { loadFigures } from "./home-figures.ts";
import { Landing } from "./landing.tsx";

export type LandingData = Awaited<ReturnType<typeof loadLanding>>;
export type HomeData = Awaited<ReturnType<typeof loadHome>>;

/** The landing page for visitors, the personal home for members. */
export function loader({ request, url, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const viewer = context.get(viewerContext);
  const isDocument = !new URL(request.url).pathname.endsWith(".data");
  return viewer ? loadHome(site, viewer, { url, isDocument }) : loadLanding(site, url);
}

async function loadLanding(site: Site, url: URL) {
  const search = url.searchParams.get("q")?.trim() || undefined;
  const { latest: most, ...limits } = landingLimits;
  const [featured, pinned, latest, count, figures] = await Promise.all([
    orNothing(site, listFeatured(site, limits.featured), []),
    orNothing(site, listPinned(site, limits.pinned, search), []),
    // Three more than are given away: they fade under the invitation to join.
    listLatest(site, { limit: most + 3, search }),
    orNothing(site, readTally(site, "published"), 0),
    orNothing(site, readLandingFigures(site), noFigures),
  ]);
  const asked = url.searchParams.get("tab");
  const tab: LandingTab = isLandingTab(asked) ? asked : search || (featured.length === 0 && count > 0) ? "latest" : "featured";
  const shown = { featured, pinned, latest: latest.posts.slice(0, most) }[tab];
  const fading = count > most ? latest.posts.filter((story) => !shown.some(({ id }) => id === story.id)).slice(0, 3) : [];
  return { page: "landing" as const, tab, featured, pinned, latest: latest.posts.slice(0, most), fading, count, figures };
}

/** What stands beside the stories and can't be read is left out; the page is not (specification §8). */
async function orNothing<Part, Nothing>(site: Site, part: Promise<Part>, nothing: Nothing): Promise<Part | Nothing> {
  try {
    return await part;
  } catch (error) {
    site.log.error({ err: error }, "a part of the first page could not be read");
    return nothing;
  }
}

export type LandingTab = "featured" | "latest" | "pinned";

function isLandingTab(tab: string | null): tab is LandingTab {
  return tab === "featured" || tab === "latest" || tab === "pinned";
}

export const homeTabs = ["all", "trending", "following"] as const;
export type HomeTab = (typeof homeTabs)[number];

async function loadHome(site: Site, viewer: Member, { url, isDocument }: { url: URL; isDocument: boolean }) {
  const after = url.searchParams.get("after");
  const tab: HomeTab = homeTabs.find((each) => each === url.searchParams.get("tab")) ?? "all";
  const cursor = site.events.latest();
  const [featured, pinned, latest, figures] = await Promise.all([
    after ? [] : orNothing(site, listFeatured(site, 5), []),
    after ? [] : orNothing(site, listPinned(site, 3), []),
    listTab(site, viewer, tab, { limit: 12, after, search: url.searchParams.get("q")?.trim() ?? "" }),
    // A browser that is here already remembers them for a while, and asks when it doesn't.
    isDocument ? orNothing(site, readHomeFigures(site, viewer), null) : null,
  ]);
  const { id, name } = viewer;
  return { page: "home" as const, viewer: { id, name }, tab, featured, pinned, listing: { ...latest, after }, figures, cursor };
}

function listTab(site: Site, viewer: Member, tab: HomeTab, { search, ...paging }: Paging & { search: string }): Promise<StoryPage> {
  const lists: Record<HomeTab, () => Promise<StoryPage>> = {
    all: () => listLatest(site, { search, ...paging }),
    trending: () => listTrending(site, { search, ...paging }),
    following: () => listFollowedStories(site, viewer, { search, ...paging }),
  };
  return lists[tab]();
}

/** Figures that this tab remembers are not asked for again. */
export function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  return orFailedPage(request, listTexts.home, async () => {
    const data = await serverLoader();
    return data.page === "home" && !data.figures ? { ...data, figures: await loadFigures(data.viewer.id) } : data;
  });
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches, { path: "/" });
}

export default function IndexPage({ loaderData }: Route.ComponentProps) {
  if ("failed" in loaderData) return <FailedPage text={loaderData.failed} />;
  return loaderData.page === "home" ? <Home {...loaderData} /> : <Landing {...loaderData} />;
}

/** Whatever went wrong: nothing here is lost by trying again. */
export function ErrorBoundary() {
  return <FailedPage text={listTexts.home} />;
}
