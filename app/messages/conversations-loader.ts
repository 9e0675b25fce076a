import { siteContext, viewerContext } from "#app/context.ts";
import { answerJson } from "#app/shell/json-answer.server.ts";
import { listConversations } from "#domain/messages/conversations.server.ts";
import type { Route } from "./+types/conversations-loader.ts";

export function loader({ url, context }: Route.LoaderArgs) {
  return answerJson(() => listConversations(context.get(siteContext), context.get(viewerContext), url.searchParams.get("after")));
}
