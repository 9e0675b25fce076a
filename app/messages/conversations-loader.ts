import { siteContext, viewerContext } from "#app/context.ts";
import { listConversations } from "#domain/messages/conversations.server.ts";
import type { Route } from "./+types/conversations-loader.ts";
import { answerJson } from "./answer.server.ts";

export function loader({ url, context }: Route.LoaderArgs) {
  return answerJson(() => listConversations(context.get(siteContext), context.get(viewerContext), url.searchParams.get("after")));
}
