import { siteContext, viewerContext } from "#app/context.ts";
import { readHomeFigures } from "#domain/pages/home.server.ts";
import type { Route } from "./+types/home-figures-route.ts";

export async function loader({ context }: Route.LoaderArgs) {
  return Response.json(await readHomeFigures(context.get(siteContext), context.get(viewerContext)));
}
