import { siteContext, viewerContext } from "#app/context.ts";
import { respondWithJson } from "#app/shell/json-response.server.ts";
import { listConversations } from "#domain/messages/conversations.server.ts";
import type { Route } from "./+types/conversations-loader.ts";

export function loader({ url, context }: Route.LoaderArgs) {
  return respondWithJson(() => listConversations(context.get(siteContext), context.get(viewerContext), url.searchParams.get("after")));
}
