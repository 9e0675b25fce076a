import { data } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { catchRequestFailure } from "#app/shell/catch-request-failure.ts";
import { connectionLost } from "#app/shell/closed.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { requirePermission } from "#domain/permissions.ts";
import { previewContent } from "#domain/posts/posts.server.ts";
import { isRefusal, statusOf } from "#domain/refusals.ts";
import type { Route } from "./+types/preview-action.ts";

export async function action({ request, context }: Route.ActionArgs) {
  const viewer = context.get(viewerContext);
  try {
    requirePermission(viewer, "preview a story");
    const form = await readForm(request, formLimits.text);
    const preview = await previewContent(context.get(siteContext), viewer, String(form.get("content") ?? ""));
    return { ...preview, error: null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const headers: Record<string, string> = error.retryAfterSeconds ? { "retry-after": String(error.retryAfterSeconds) } : {};
    return data({ html: "", fromElsewhere: 0, error: error.message }, { status: statusOf(error), headers });
  }
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  catchRequestFailure(serverAction, { html: "", fromElsewhere: 0, error: connectionLost });
