import { data } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { readUploadForm } from "#domain/files/upload-form.server.ts";
import { previewContent } from "#domain/posts/posts.server.ts";
import { isRefusal, statusOf } from "#domain/refusals.ts";
import type { Route } from "./+types/preview-action.ts";

/** What a text will look like; nothing is kept. */
export async function action({ request, context }: Route.ActionArgs) {
  try {
    const form = await readUploadForm(request);
    const html = await previewContent(context.get(siteContext), context.get(viewerContext), String(form.get("content") ?? ""));
    return { html, error: null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return data({ html: "", error: error.message }, { status: statusOf(error) });
  }
}
