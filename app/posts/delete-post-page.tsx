import { data } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ConfirmPage } from "#app/ui/dialogs/confirm-page.tsx";
import { draftTexts } from "#domain/drafts/draft.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { postTexts } from "#domain/posts/post.ts";
import { readPost } from "#domain/posts/post-reads.server.ts";
import { deletePost } from "#domain/posts/posts.server.ts";
import { isRefusal } from "#domain/refusals.ts";
import type { Route } from "./+types/delete-post-page.ts";
import { deleteQuestions } from "./questions.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { title } = await readPost(context.get(siteContext), context.get(viewerContext), params.slug);
  return { title };
}

/** Without JavaScript there is no dialog, so this page asks. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const from = placeOf(form.get("from"));
  if (form.get("confirmed") !== "yes") return data({ from });
  const { to, done } = places[from];
  try {
    await deletePost(context.get(siteContext), context.get(viewerContext), params.slug);
  } catch (error) {
    if (!isRefusal(error) || error.code === "sign-in-required") throw error;
    return redirectWithToast(to === "/" ? `/post/${encodeURIComponent(params.slug)}` : to, {
      tone: "error",
      text: deleteQuestions[from].failed,
    });
  }
  return redirectWithToast(to, { tone: "success", text: done });
}

/** The page of the button decides the redirect and the wording (specification §5). */
const places = {
  post: { to: "/", done: postTexts.deleted },
  posts: { to: "/profile?tab=posts", done: postTexts.deleted },
  drafts: { to: "/profile?tab=drafts", done: draftTexts.deleted },
};

function placeOf(from: unknown): keyof typeof places {
  return from === "posts" || from === "drafts" ? from : "post";
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: deleteQuestions.post.title });

export default function DeletePostPage({ params, loaderData, actionData }: Route.ComponentProps) {
  const from = actionData?.from ?? "post";
  return (
    <ConfirmPage
      {...deleteQuestions[from]}
      subject={loaderData.title || "Untitled Post"}
      cancel={from === "post" ? `/post/${params.slug}` : places[from].to}
      fields={{ from }}
    />
  );
}
