import { requireMember, siteContext } from "#app/context.ts";
import { respondWithJson } from "#app/shell/json-response.server.ts";
import { unreadCount } from "#domain/messages/conversations.server.ts";
import type { Route } from "./+types/unread-loader.ts";

/** The badges' count; 401 tells an open page that its session has ended. */
export function loader({ context }: Route.LoaderArgs) {
  return respondWithJson(async () => ({ unread: await unreadCount(context.get(siteContext), requireMember(context)) }));
}
