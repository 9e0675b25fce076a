import { siteContext, viewerContext } from "#app/context.ts";
import { respondWithJson } from "#app/shell/json-response.server.ts";
import { wholeNumber } from "#domain/forms/whole-number.ts";
import { readMessages, searchMessages } from "#domain/messages/chat.server.ts";
import { requireSameAccount } from "#domain/messages/messages.server.ts";
import type { Route } from "./+types/history-resource.ts";

/** Messages before or after a number, or search results before one. */
export function loader({ params, url, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const number = (name: string) => wholeNumber(url.searchParams.get(name));
  const [before, after, text] = [number("before"), number("after"), url.searchParams.get("q")];
  return respondWithJson(() => {
    requireSameAccount(viewer, url.searchParams.get("from"));
    return text !== null
      ? searchMessages(site, viewer, params.userId, { text, before })
      : readMessages(site, viewer, params.userId, { before, after });
  });
}
