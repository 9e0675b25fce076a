import { siteContext, viewerContext } from "#app/context.ts";
import { readHomeStats } from "#domain/pages/home.server.ts";
import type { Route } from "./+types/home-stats-resource.ts";

export async function loader({ context }: Route.LoaderArgs) {
  return Response.json(await readHomeStats(context.get(siteContext), context.get(viewerContext)));
}
