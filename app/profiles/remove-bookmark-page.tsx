import { data, Form } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { reactionTexts } from "#app/reactions/reaction.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { localPath } from "#app/shell/local-path.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { readForm } from "#domain/forms/read-form.server.ts";
import { readPost } from "#domain/posts/post-reads.server.ts";
import { setBookmark } from "#domain/reactions/reactions.server.ts";
import { isRefusal, SignInFirst } from "#domain/refusals.ts";
import type { Route } from "./+types/remove-bookmark-page.ts";
import { profileTabPath } from "./profile-tabs.ts";
import { removeBookmarkTexts } from "./remove-bookmark.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  if (!viewer) throw new SignInFirst();
  const { title } = await readPost(context.get(siteContext), viewer, params.slug);
  return { title };
}

/** Without JavaScript the button comes without a yes: then this page asks. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const back = localPath(form.get("back"), profileTabPath("bookmarks"));
  if (form.get("confirmed") !== "yes") return data({ back });
  try {
    await setBookmark(context.get(siteContext), context.get(viewerContext), params.slug, false);
  } catch (error) {
    if (!isRefusal(error) || error.code === "sign-in-first") throw error;
    // Deleted meanwhile: its bookmarks went with it.
    if (error.code !== "not-found") return redirectWithToast(back, { tone: "error", text: reactionTexts.bookmark.failed });
  }
  return redirectWithToast(back, { tone: "success", text: reactionTexts.bookmark.off });
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: removeBookmarkTexts.title });

export default function RemoveBookmarkPage({ loaderData, actionData }: Route.ComponentProps) {
  const back = actionData?.back ?? profileTabPath("bookmarks");
  return (
    <div className="mx-auto w-full max-w-[440px] px-4 py-20">
      <h1 className="display text-t3">{removeBookmarkTexts.title}</h1>
      <p dir="auto" className="mt-3 font-medium">
        {loaderData.title}
      </p>
      <p className="mt-1 text-ink-2">{removeBookmarkTexts.question}</p>
      <Form method="post" className="mt-6 flex gap-2">
        <input type="hidden" name="back" value={back} />
        <ButtonLink to={back}>Cancel</ButtonLink>
        <Button type="submit" name="confirmed" value="yes" variant="danger-fill">
          {removeBookmarkTexts.confirm}
        </Button>
      </Form>
    </div>
  );
}
