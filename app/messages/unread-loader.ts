import { memberIn, siteContext } from "#app/context.ts";
import { answerJson } from "#app/shell/json-answer.server.ts";
import { unreadCount } from "#domain/messages/conversations.server.ts";
import type { Route } from "./+types/unread-loader.ts";

/** The number in the badges, and for a page that stays open whether its session still holds (401). */
export function loader({ context }: Route.LoaderArgs) {
  return answerJson(async () => ({ unread: await unreadCount(context.get(siteContext), memberIn(context)) }));
}
