import { data } from "react-router";
import { redirectWithToast } from "#app/shell/flash.ts";
import { cameFrom } from "#app/shell/local-path.ts";
import { setBookmark, setLike } from "#domain/reactions/reactions.server.ts";
import { isRefusal, statusOf } from "#domain/refusals.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { type ReactionAnswer, reactionOf, reactionTexts } from "./reaction.ts";

const verbs = { like: setLike, bookmark: setBookmark };

/** Takes what a like or bookmark button posts; the form says which state is wanted. A plain form is led back. */
export async function takeReaction(site: Site, viewer: Viewer, request: Request, postId: string) {
  const form = await request.formData();
  const reaction = reactionOf(form);
  const texts = reactionTexts[reaction];
  const wanted = form.get("wanted") === "yes";
  let answer: ReactionAnswer = { tone: "success", text: wanted ? texts.on : texts.off };
  let status = 200;
  try {
    await verbs[reaction](site, viewer, postId, wanted);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    answer = error.code === "sign-in-first" ? { tone: "info", text: texts.login } : { tone: "error", text: texts.failed };
    status = statusOf(error);
  }
  if (form.get("scripted") === "yes") return data(answer, { status });
  return redirectWithToast(cameFrom(request, site.url, `/post/${postId}`), answer);
}
