import { siteContext, viewerContext } from "#app/context.ts";
import { listFollowedIds } from "#domain/follows/follows.server.ts";
import type { Route } from "./+types/followed-ids-resource.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const ids = await listFollowedIds(context.get(siteContext), context.get(viewerContext));
  return Response.json({ ids });
}
