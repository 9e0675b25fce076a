import { siteContext, viewerContext } from "#app/context.ts";
import { respondWithJson } from "#app/shell/json-response.server.ts";
import { findPeople } from "#domain/messages/people.server.ts";
import type { Route } from "./+types/people-resource.ts";

/** `?q=`: a part of a name. */
export function loader({ url, context }: Route.LoaderArgs) {
  return respondWithJson(() => findPeople(context.get(siteContext), context.get(viewerContext), url.searchParams.get("q") ?? ""));
}
