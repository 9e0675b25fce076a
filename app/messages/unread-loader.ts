import { requireMember, siteContext } from "#app/context.ts";
import { answerJson } from "#app/shell/json-answer.server.ts";
import { unreadCount } from "#domain/messages/conversations.server.ts";
import type { Route } from "./+types/unread-loader.ts";

/** The badges' count; 401 tells an open page that its session has ended. */
export function loader({ context }: Route.LoaderArgs) {
  return answerJson(async () => ({ unread: await unreadCount(context.get(siteContext), requireMember(context)) }));
}
