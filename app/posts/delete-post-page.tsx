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

export async function loader({ params, context }: Route.LoaderArgs) {
  const { title } = await readPost(context.get(siteContext), context.get(viewerContext), params.slug);
  return { title };
}

/** Without scripts there is no dialog, so this page asks. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const from = placeOf(form.get("from"));
  if (form.get("confirmed") !== "yes") return data({ from });
  const { to, done, failed } = places[from];
  try {
    await deletePost(context.get(siteContext), context.get(viewerContext), params.slug);
  } catch (error) {
    if (!isRefusal(error) || error.code === "sign-in-required") throw error;
    return redirectWithToast(to === "/" ? `/post/${encodeURIComponent(params.slug)}` : to, { tone: "error", text: failed });
  }
  return redirectWithToast(to, { tone: "success", text: done });
}

type Place = { to: string; done: string; failed: string; title: string; question: string };

const ofPosts = { done: postTexts.deleted, failed: postTexts.deleteFailed, title: "Delete this post?" };

/** The page of the button decides the redirect and the wording (specification §5). */
const places = {
  story: { ...ofPosts, to: "/", question: postTexts.deleteQuestion },
  posts: { ...ofPosts, to: "/profile?tab=posts", question: postTexts.deleteOwnQuestion },
  drafts: {
    to: "/profile?tab=drafts",
    done: draftTexts.deleted,
    failed: draftTexts.deleteFailed,
    title: "Delete this draft?",
    question: draftTexts.deleteQuestion,
  },
} satisfies Record<string, Place>;

function placeOf(from: unknown): keyof typeof places {
  return from === "posts" || from === "drafts" ? from : "story";
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Delete this post?" });

export default function DeletePostPage({ params, loaderData, actionData }: Route.ComponentProps) {
  const from = actionData?.from ?? "story";
  const { to, title, question } = places[from];
  return (
    <ConfirmPage
      title={title}
      subject={loaderData.title || "Untitled Post"}
      question={question}
      cancel={from === "story" ? `/post/${params.slug}` : to}
      confirmLabel="Delete"
      danger
      fields={{ from }}
    />
  );
}
