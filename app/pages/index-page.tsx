import { siteContext, viewerContext } from "#app/context.ts";
import { FailedPage } from "#app/shell/failed-page.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import type { SharedPageHandle } from "#app/ui/personal.tsx";
import { listTexts } from "#domain/pages/list-texts.ts";
import type { Route } from "./+types/index-page.ts";
import { Home } from "./home.tsx";
import { loadHome } from "./home-data.server.ts";
import { loadStats } from "./home-stats.ts";
import { Landing } from "./landing.tsx";
import { loadLanding } from "./landing-data.server.ts";

export function loader({ request, url, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const isDocument = !new URL(request.url).pathname.endsWith(".data");
  return viewer ? loadHome(site, viewer, { url, isDocument }) : loadLanding(site, url);
}

export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const data = await serverLoader();
  if (data.page !== "home" || data.personal.stats) return data;
  const { viewerId } = data.personal;
  return { ...data, personal: { viewerId, stats: await loadStats(viewerId) } };
}

export const handle: SharedPageHandle = { shared: true };

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { path: "/" });

export default function IndexPage({ loaderData }: Route.ComponentProps) {
  return loaderData.page === "home" ? <Home {...loaderData} /> : <Landing {...loaderData} />;
}

export function ErrorBoundary() {
  return <FailedPage text={listTexts.home} />;
}
