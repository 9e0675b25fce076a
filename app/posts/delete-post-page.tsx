import { data, Form } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { postTexts } from "#domain/posts/post.ts";
import { readStory } from "#domain/posts/post-reads.server.ts";
import { deletePost } from "#domain/posts/posts.server.ts";
import { isRefusal } from "#domain/refusals.ts";
import type { Route } from "./+types/delete-post-page.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { title } = await readStory(context.get(siteContext), context.get(viewerContext), params.slug);
  return { title };
}

/** Without JavaScript the button comes without a yes: then this page asks. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await request.formData();
  if (form.get("confirmed") !== "yes") return data({ asks: true });
  try {
    await deletePost(context.get(siteContext), context.get(viewerContext), params.slug);
  } catch (error) {
    if (!isRefusal(error) || error.code === "sign-in-first") throw error;
    return redirectWithToast(`/post/${params.slug}`, { tone: "error", text: postTexts.deleteFailed });
  }
  return redirectWithToast("/", { tone: "success", text: postTexts.deleted });
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Delete this post?" });

export default function DeletePostPage({ params, loaderData }: Route.ComponentProps) {
  return (
    <div className="mx-auto w-full max-w-[440px] px-4 py-20">
      <h1 className="display text-t3">Delete this post?</h1>
      <p dir="auto" className="mt-3 font-medium">
        {loaderData.title}
      </p>
      <p className="mt-1 text-ink-2">{postTexts.deleteQuestion}</p>
      <Form method="post" className="mt-6 flex gap-2">
        <ButtonLink to={`/post/${params.slug}`}>Cancel</ButtonLink>
        <Button type="submit" name="confirmed" value="yes" variant="danger-fill">
          Delete
        </Button>
      </Form>
    </div>
  );
}
