import { siteContext, viewerContext } from "#app/context.ts";
import { respondWithJson } from "#app/shell/json-response.server.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { setBlocked, setMuted } from "#domain/messages/blocking.server.ts";
import { deleteChat, deleteMessage } from "#domain/messages/deleting.server.ts";
import { requireSameAccount } from "#domain/messages/messages.server.ts";
import { markConversationRead } from "#domain/messages/reading.server.ts";
import { Invalid } from "#domain/refusals.ts";
import type { Site, Viewer } from "#domain/site.ts";
import type { Route } from "./+types/change-action.ts";

type Change = (site: Site, viewer: Viewer, partnerId: string, value: string) => Promise<void>;

/** What scripts may change about a chat; `value` is the message's id, the number read up to, or the wanted state. */
const changes: Record<string, Change> = {
  read: (site, viewer, partnerId, value) => markConversationRead(site, viewer, partnerId, Number.parseInt(value, 10) || 0),
  "delete-message": (site, viewer, _partnerId, value) => deleteMessage(site, viewer, value),
  "delete-chat": (site, viewer, partnerId) => deleteChat(site, viewer, partnerId),
  block: (site, viewer, partnerId, value) => setBlocked(site, viewer, partnerId, value === "yes"),
  mute: (site, viewer, partnerId, value) => setMuted(site, viewer, partnerId, value === "yes"),
};

export function action({ params, request, context }: Route.ActionArgs) {
  return respondWithJson(async () => {
    const form = await readForm(request);
    const name = String(form.get("change"));
    const change = Object.hasOwn(changes, name) ? changes[name] : undefined;
    if (!change) throw new Invalid("Unknown change");
    const viewer = context.get(viewerContext);
    requireSameAccount(viewer, form.get("from")?.toString());
    await change(context.get(siteContext), viewer, params.userId, String(form.get("value") ?? ""));
  });
}
