import { siteContext, viewerContext } from "#app/context.ts";
import { answerJson } from "#app/shell/json-answer.server.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { postMessage } from "#domain/messages/messages.server.ts";
import type { Route } from "./+types/send-action.ts";

/** For the outbox while there is no socket. */
export function action({ params, request, context }: Route.ActionArgs) {
  return answerJson(async () => {
    const form = await readForm(request);
    const [text, sendId] = [String(form.get("text") ?? ""), String(form.get("sendId") ?? "")];
    return postMessage(context.get(siteContext), context.get(viewerContext), { to: params.userId, text, sendId });
  });
}
