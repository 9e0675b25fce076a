import { redirect } from "react-router";
import type { ModerationResult } from "#app/admin/posts/post-moderation.ts";
import { siteContext, viewerContext } from "#app/context.ts";
import { catchRequestFailure } from "#app/shell/catch-request-failure.ts";
import { connectionLost } from "#app/shell/closed.ts";
import { refererPath } from "#app/shell/local-path.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { undoBatch, undoModerationAction } from "#domain/moderation/undo.server.ts";
import type { Site, Viewer } from "#domain/site.ts";
import type { Route } from "./+types/undo-action.ts";
import { sendResult } from "./send-result.server.ts";

export const loader = () => redirect("/admin/audit");

export async function action({ request, context }: Route.ActionArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const form = await readForm(request);
  const result = await undo(site, viewer, String(form.get("id") ?? ""), String(form.get("batch") ?? ""));
  const status = result.tone === "success" ? 200 : 409;
  return sendResult(form, { ...result, status }, refererPath(request, site.url, "/admin/audit"));
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  catchRequestFailure(serverAction, { tone: "error", text: connectionLost } satisfies ModerationResult);

async function undo(site: Site, viewer: Viewer, id: string, batch: string): Promise<ModerationResult> {
  try {
    if (!batch) {
      await undoModerationAction(site, viewer, id);
      return { tone: "success", text: "Undone" };
    }
    const { successful, failed } = await undoBatch(site, viewer, batch);
    if (failed === 0) return { tone: "success", text: `${successful} undone` };
    return { tone: "error", text: `${failed} could not be undone; ${successful} undone` };
  } catch (error) {
    return { tone: "error", text: refusalOf(error).message };
  }
}
