import { data } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { refererPath } from "#app/shell/local-path.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { setBookmark, setLike } from "#domain/reactions/reactions.server.ts";
import { statusOf } from "#domain/refusals.ts";
import type { Route } from "./+types/react-action.ts";
import { type ReactionResponse, reactionOf, reactionTexts } from "./reaction.ts";

const verbs = { like: setLike, bookmark: setBookmark };

export async function action({ request, params, context }: Route.ActionArgs) {
  const site = context.get(siteContext);
  const form = await readForm(request);
  const reaction = reactionOf(form);
  const texts = reactionTexts[reaction];
  const enabled = form.get("wanted") === "yes";
  let result: ReactionResponse;
  let status = 200;
  try {
    const saved = await verbs[reaction](site, context.get(viewerContext), params.slug, enabled);
    result = { tone: "success", text: enabled ? texts.on : texts.off, saved };
  } catch (error) {
    status = statusOf(refusalOf(error));
    result = status === 401 ? { tone: "info", text: texts.login, saved: null } : { tone: "error", text: texts.failed, saved: null };
  }
  if (form.get("scripted") === "yes") return data(result, { status });
  return redirectWithToast(refererPath(request, site.url, `/post/${encodeURIComponent(params.slug)}`), {
    tone: result.tone,
    text: result.text,
  });
}
