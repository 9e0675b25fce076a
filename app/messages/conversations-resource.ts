import { siteContext, viewerContext } from "#app/context.ts";
import { respondWithJson } from "#app/shell/json-response.server.ts";
import { listConversations } from "#domain/messages/conversations.server.ts";
import { requireSameAccount } from "#domain/messages/messages.server.ts";
import type { Route } from "./+types/conversations-resource.ts";

export function loader({ url, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  return respondWithJson(() => {
    requireSameAccount(viewer, url.searchParams.get("from"));
    return listConversations(site, viewer, url.searchParams.get("after"));
  });
}
