import { siteContext, viewerContext } from "#app/context.ts";
import type { SaveResponse } from "#app/drafts/session/save-loop.ts";
import { draftTexts } from "#domain/drafts/draft.ts";
import { type DraftConflict, DraftSaveInput, saveWorkingCopy } from "#domain/drafts/working-copies.server.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { requirePermission } from "#domain/permissions.ts";
import { detailsOf, isRefusal, type Refusal, statusOf } from "#domain/refusals.ts";
import type { Route } from "./+types/save-action.ts";

/** Answers `sendSave` of a draft session: every error has a kind that the session handles. */
export async function action({ request, context }: Route.ActionArgs) {
  const viewer = context.get(viewerContext);
  try {
    // Before the body takes memory.
    requirePermission(viewer, "save unfinished work");
    const form = await readForm(request, formLimits.text, draftTexts.tooLong);
    const save = DraftSaveInput.safeParse(parse(String(form.get("save") ?? "")));
    if (!save.success) return respond({ kind: "refused", message: save.error.issues[0]?.message ?? "" }, 422);
    const saved = await saveWorkingCopy(context.get(siteContext), viewer, save.data);
    return respond({ kind: "saved", ...saved }, 200);
  } catch (error) {
    if (isRefusal(error)) return respond(toResponse(error), statusOf(error));
    context.get(siteContext).log.error({ err: error }, "unfinished work could not be saved");
    return respond({ kind: "unreachable" }, 503);
  }
}

function toResponse(refusal: Refusal): SaveResponse {
  const changed = detailsOf<DraftConflict>(refusal, "changed-meanwhile");
  if (changed) return { kind: "changed", theirs: changed.theirs };
  if (detailsOf(refusal, "finished")) return { kind: "finished" };
  if (refusal.code === "sign-in-required") return { kind: "signed-out" };
  if (detailsOf(refusal, "someone-else")) return { kind: "someone-else" };
  return refusal.code === "unavailable" ? { kind: "unreachable" } : { kind: "refused", message: refusal.message };
}

function respond(body: SaveResponse, status: number): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store" } });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
