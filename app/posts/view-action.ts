import { clientContext, siteContext, viewerContext } from "#app/context.ts";
import { countView } from "#domain/posts/views.server.ts";
import type { Route } from "./+types/view-action.ts";

export async function action({ params, context }: Route.ActionArgs) {
  const counted = await countView(context.get(siteContext), context.get(viewerContext), context.get(clientContext), params.slug);
  return { counted };
}
