import { requireMember, siteContext } from "#app/context.ts";
import { respondWithJson } from "#app/shell/json-response.server.ts";
import { unreadCount } from "#domain/messages/conversations.server.ts";
import { requireSameAccount } from "#domain/messages/messages.server.ts";
import type { Route } from "./+types/unread-loader.ts";

/** The badges' count; 401 tells an open page that its session has ended, or that another account has signed in. */
export function loader({ url, context }: Route.LoaderArgs) {
  return respondWithJson(async () => {
    const viewer = requireMember(context);
    requireSameAccount(viewer, url.searchParams.get("from"));
    return { unread: await unreadCount(context.get(siteContext), viewer) };
  });
}
