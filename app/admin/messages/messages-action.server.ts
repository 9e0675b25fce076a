import { redirect } from "react-router";
import { outcomeOf, sendResult } from "#app/admin/moderation/send-result.server.ts";
import { refererPath } from "#app/shell/local-path.ts";
import { adminMessageTexts } from "#domain/messages/admin-messages.ts";
import { deleteMessage } from "#domain/messages/deleting.server.ts";
import type { Site, Viewer } from "#domain/site.ts";

export async function removeMessage(site: Site, viewer: Viewer, request: Request, form: FormData) {
  const id = String(form.get("id") ?? "");
  if (form.get("confirmed") !== "yes") throw redirect(`/admin/messages/${encodeURIComponent(id)}`);
  const remove = async () => {
    await deleteMessage(site, viewer, id);
    return adminMessageTexts.deleted;
  };
  const outcome = await outcomeOf(remove, () => adminMessageTexts.deleteFailed);
  const back = refererPath(request, site.url, "/admin/messages");
  return sendResult(form, outcome, back.startsWith("/admin/messages/") ? "/admin/messages" : back);
}
