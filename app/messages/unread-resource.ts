import { requireMember } from "#app/context.ts";
import { respondWithJson } from "#app/shell/json-response.server.ts";
import { requireSameAccount } from "#domain/messages/messages.server.ts";
import type { Route } from "./+types/unread-resource.ts";

/** 401 tells an open page that its session has ended, or that another account has signed in. */
export function loader({ url, context }: Route.LoaderArgs) {
  return respondWithJson(async () => requireSameAccount(requireMember(context), url.searchParams.get("from")));
}
