import { data } from "react-router";
import { requireMember, siteContext, viewerContext } from "#app/context.ts";
import { reactionTexts } from "#app/reactions/reaction.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { localPath } from "#app/shell/local-path.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ConfirmPage } from "#app/ui/dialogs/confirm-page.tsx";
import { readForm } from "#domain/forms/read-form.server.ts";
import { readPost } from "#domain/posts/post-reads.server.ts";
import { setBookmark } from "#domain/reactions/reactions.server.ts";
import { isRefusal } from "#domain/refusals.ts";
import type { Route } from "./+types/remove-bookmark-page.ts";
import { profileTabPath } from "./profile-tabs.ts";
import { removeBookmarkQuestion } from "./remove-bookmark.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { title } = await readPost(context.get(siteContext), requireMember(context), params.slug);
  return { title };
}

/** Without JavaScript the form arrives unconfirmed, and this page asks. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const back = localPath(form.get("back"), profileTabPath("bookmarks"));
  if (form.get("confirmed") !== "yes") return data({ back });
  try {
    await setBookmark(context.get(siteContext), context.get(viewerContext), params.slug, false);
  } catch (error) {
    if (!isRefusal(error) || error.code === "sign-in-required") throw error;
    // The story was deleted, with its bookmarks.
    if (error.code !== "not-found") return redirectWithToast(back, { tone: "error", text: removeBookmarkQuestion.failed });
  }
  return redirectWithToast(back, { tone: "success", text: reactionTexts.bookmark.off });
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: removeBookmarkQuestion.title });

export default function RemoveBookmarkPage({ loaderData, actionData }: Route.ComponentProps) {
  const back = actionData?.back ?? profileTabPath("bookmarks");
  return <ConfirmPage {...removeBookmarkQuestion} subject={loaderData.title} cancel={back} fields={{ back }} />;
}
