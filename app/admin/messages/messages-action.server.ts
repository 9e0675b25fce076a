import { data, redirect } from "react-router";
import type { ModerationAnswer } from "#app/admin/posts/post-moderation.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { cameFrom } from "#app/shell/local-path.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { adminMessageTexts } from "#domain/messages/admin-messages.ts";
import { deleteMessage } from "#domain/messages/deleting.server.ts";
import { statusOf } from "#domain/refusals.ts";
import type { Site, Viewer } from "#domain/site.ts";

export async function removeMessage(site: Site, viewer: Viewer, request: Request, form: FormData) {
  const id = String(form.get("id") ?? "");
  if (form.get("confirmed") !== "yes") throw redirect(`/admin/messages/${encodeURIComponent(id)}`);
  const { status, ...answer } = await remove(site, viewer, id);
  if (form.get("scripted") === "yes") return data<ModerationAnswer>(answer, { status });
  const back = cameFrom(request, site.url, "/admin/messages");
  return redirectWithToast(back.startsWith("/admin/messages/") ? "/admin/messages" : back, answer);
}

async function remove(site: Site, viewer: Viewer, id: string): Promise<ModerationAnswer & { status: number }> {
  try {
    await deleteMessage(site, viewer, id);
    return { tone: "success", text: adminMessageTexts.deleted, status: 200 };
  } catch (error) {
    const refusal = refusalOf(error);
    return { tone: "error", text: adminMessageTexts.deleteFailed, status: statusOf(refusal) };
  }
}
