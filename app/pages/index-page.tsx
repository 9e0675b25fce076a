import { siteContext, viewerContext } from "#app/context.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { landingLimits } from "#domain/pages/landing.ts";
import { countPublished, listFeatured, listLatest, listPinned } from "#domain/posts/post-reads.server.ts";
import type { Site, Viewer } from "#domain/site.ts";
import type { Route } from "./+types/index-page.ts";
import { Home } from "./home.tsx";
import { Landing } from "./landing.tsx";

export type LandingData = Awaited<ReturnType<typeof loadLanding>>;
export type HomeData = Awaited<ReturnType<typeof loadHome>>;

/** The landing page for visitors, the personal home for members. */
export function loader({ url, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const viewer = context.get(viewerContext);
  return viewer ? loadHome(site, viewer, url) : loadLanding(site, url);
}

async function loadLanding(site: Site, url: URL) {
  const search = url.searchParams.get("q")?.trim() || undefined;
  const { latest: most, ...limits } = landingLimits;
  const [featured, pinned, latest, count] = await Promise.all([
    listFeatured(site, limits.featured),
    listPinned(site, limits.pinned),
    // Three more than are given away: they fade under the invitation to join.
    listLatest(site, { limit: most + 3, search }),
    countPublished(site),
  ]);
  const asked = url.searchParams.get("tab");
  const tab: LandingTab = isLandingTab(asked) ? asked : search || (featured.length === 0 && count > 0) ? "latest" : "featured";
  const shown = { featured, pinned, latest: latest.posts.slice(0, most) }[tab];
  const fading = count > most ? latest.posts.filter((story) => !shown.some(({ id }) => id === story.id)).slice(0, 3) : [];
  return { page: "landing" as const, tab, featured, pinned, latest: latest.posts.slice(0, most), fading, count };
}

export type LandingTab = "featured" | "latest" | "pinned";

function isLandingTab(tab: string | null): tab is LandingTab {
  return tab === "featured" || tab === "latest" || tab === "pinned";
}

async function loadHome(site: Site, viewer: NonNullable<Viewer>, url: URL) {
  const after = url.searchParams.get("after");
  const cursor = site.events.latest();
  const [featured, latest] = await Promise.all([
    after ? [] : listFeatured(site, 5),
    listLatest(site, { limit: 12, after, search: url.searchParams.get("q")?.trim() || undefined }),
  ]);
  return { page: "home" as const, name: viewer.name, featured, listing: { ...latest, after }, cursor };
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches, { path: "/" });
}

export default function IndexPage({ loaderData }: Route.ComponentProps) {
  return loaderData.page === "home" ? <Home {...loaderData} /> : <Landing {...loaderData} />;
}
