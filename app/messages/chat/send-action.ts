import { siteContext, viewerContext } from "#app/context.ts";
import { respondWithJson } from "#app/shell/json-response.server.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import type { Route } from "./+types/send-action.ts";
import { newMessage } from "./new-message.server.ts";

/** For the message queue while there is no socket. */
export function action({ params, request, context }: Route.ActionArgs) {
  return respondWithJson(async () => {
    const form = await readForm(request);
    return sendMessage(context.get(siteContext), context.get(viewerContext), newMessage(form, params.userId));
  });
}
