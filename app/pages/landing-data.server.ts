import { withFallback } from "#app/shell/with-fallback.server.ts";
import { readCounter } from "#domain/counters/counters.server.ts";
import { readLandingStats } from "#domain/pages/landing.server.ts";
import { emptyStats, landingLimits, landingSentences } from "#domain/pages/landing.ts";
import { listLatest, listMarked } from "#domain/posts/post-reads.server.ts";
import { hasAnyPosts } from "#domain/rules/rules.server.ts";
import { listSearchResults } from "#domain/search/lists.server.ts";
import type { Site } from "#domain/site.ts";

export type LandingData = Awaited<ReturnType<typeof loadLanding>>;
export type LandingTab = "featured" | "latest" | "pinned";

export async function loadLanding(site: Site, url: URL) {
  const search = url.searchParams.get("q")?.trim() || undefined;
  const { latest: most, ...limits } = landingLimits;
  const [featured, pinned, latest, count, stats, hasPosts] = await Promise.all([
    withFallback(site, listMarked(site, "featured", limits.featured, search), []),
    withFallback(site, listMarked(site, "pinned", limits.pinned, search), []),
    // Three more, which fade out under the invitation to join.
    findLatest(site, { limit: most + 3, search }),
    withFallback(site, readCounter(site, "published"), 0),
    withFallback(site, readLandingStats(site), emptyStats),
    withFallback(site, hasAnyPosts(site), false),
  ]);
  const anyPinned = pinned.length > 0 || (search !== undefined && (await withFallback(site, listMarked(site, "pinned", 1), [])).length > 0);
  const requestedTab = url.searchParams.get("tab");
  const tab: LandingTab = isLandingTab(requestedTab)
    ? requestedTab
    : search || (featured.length === 0 && count > 0)
      ? "latest"
      : "featured";
  const shown = { featured, pinned, latest: latest.posts.slice(0, most) }[tab];
  const fading = count > most ? latest.posts.filter((post) => !shown.some(({ id }) => id === post.id)).slice(0, 3) : [];
  return {
    page: "landing" as const,
    tab,
    featured,
    pinned,
    anyPinned,
    latest: latest.posts.slice(0, most),
    fading,
    count,
    stats,
    sentences: landingSentences(site.settings, hasPosts),
    hasPosts,
    matches: latest.matches,
  };
}

/** `matches`: null without a search. */
async function findLatest(site: Site, { search, limit }: { search: string | undefined; limit: number }) {
  const found = search ? await listSearchResults(site, { text: search, sort: "newest", limit }) : undefined;
  return found ?? { ...(await listLatest(site, { limit })), matches: null };
}

function isLandingTab(tab: string | null): tab is LandingTab {
  return tab === "featured" || tab === "latest" || tab === "pinned";
}
