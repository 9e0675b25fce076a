import { siteContext, viewerContext } from "#app/context.ts";
import { answerJson } from "#app/shell/json-answer.server.ts";
import { unreadCount } from "#domain/messages/conversations.server.ts";
import { SignInFirst } from "#domain/refusals.ts";
import type { Route } from "./+types/unread-loader.ts";

/** The number in the badges, and for a page that stays open whether its session still holds (401). */
export function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  return answerJson(async () => {
    if (!viewer) throw new SignInFirst();
    return { unread: await unreadCount(context.get(siteContext), viewer) };
  });
}
