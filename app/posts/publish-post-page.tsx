import { data } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ConfirmPage } from "#app/ui/dialogs/confirm-page.tsx";
import { draftTexts } from "#domain/drafts/draft.ts";
import { hasUnfinishedChanges } from "#domain/drafts/draft-reads.server.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { postTexts } from "#domain/posts/post.ts";
import { readPost } from "#domain/posts/post-reads.server.ts";
import { setPostStatus } from "#domain/posts/update-post.server.ts";
import { isRefusal } from "#domain/refusals.ts";
import type { Route } from "./+types/publish-post-page.ts";
import { publishQuestion } from "./questions.ts";

const drafts = "/profile?tab=drafts";
const unfinishedText = "This draft has unpublished changes. Choose Published, then Update Post.";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { title } = await readPost(context.get(siteContext), context.get(viewerContext), params.slug);
  return { title };
}

/** Without JavaScript there is no dialog, so this page asks. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request);
  if (form.get("confirmed") !== "yes") return data({ asks: true });
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  try {
    if (await hasUnfinishedChanges(site, viewer, params.slug))
      return redirectWithToast(`/edit-post/${encodeURIComponent(params.slug)}`, { tone: "info", text: unfinishedText });
    const { held } = await setPostStatus(site, viewer, params.slug, "active");
    if (held) return redirectWithToast(drafts, { tone: "info", text: postTexts.heldNow });
  } catch (error) {
    if (!isRefusal(error) || error.code === "sign-in-required") throw error;
    const text = error.code === "not-allowed" ? error.message : draftTexts.publishFailed;
    return redirectWithToast(drafts, { tone: "error", text });
  }
  return redirectWithToast(drafts, { tone: "success", text: draftTexts.published });
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: publishQuestion.title });

export default function PublishPostPage({ loaderData }: Route.ComponentProps) {
  return <ConfirmPage {...publishQuestion} subject={loaderData.title} cancel={drafts} />;
}
