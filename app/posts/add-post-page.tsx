import { parseWithZod } from "@conform-to/zod/v4";
import { useEffect } from "react";
import { data, useNavigation } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { readUploadForm, uploadOf } from "#domain/files/upload-form.server.ts";
import { plainLineBreaks, postTexts } from "#domain/posts/post.ts";
import { PostInput } from "#domain/posts/post-input.ts";
import { countPublished } from "#domain/posts/post-reads.server.ts";
import { createPost, SlugTaken } from "#domain/posts/posts.server.ts";
import { slugOf } from "#domain/posts/slug.ts";
import { isRefusal, SignInFirst, statusOf } from "#domain/refusals.ts";
import type { Route } from "./+types/add-post-page.ts";
import { PostForm } from "./post-form.tsx";
import type { PostField, PostRefusal } from "./post-refusal.ts";
import { emptyStory, type UnfinishedStory, useUnfinishedStory } from "./unfinished-story.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  if (!viewer) throw new SignInFirst();
  const { id, name, profileImage } = viewer;
  return { author: { id, name, profileImage, published: await countPublished(context.get(siteContext), id) } };
}

export async function action({ request, context }: Route.ActionArgs) {
  const viewer = context.get(viewerContext);
  if (!viewer) throw new SignInFirst();
  let typed: UnfinishedStory | null = null;
  try {
    const form = await readUploadForm(request);
    typed = typedStory(form);
    const submission = await parseWithZod(form, { schema: PostInput, async: true });
    const picture = await uploadOf(form, "featuredImage");
    if (submission.status !== "success" || !picture) return invalid(typed, submission.reply().error ?? {}, picture === undefined);
    const id = await createPost(context.get(siteContext), viewer, submission.value, picture);
    const text = submission.value.status === "active" ? postTexts.created : postTexts.createdDraft;
    return redirectWithToast(`/post/${id}`, { tone: "success", text });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const freeSlug = error instanceof SlugTaken ? error.free : undefined;
    const errors = error.field ? { [error.field]: error.message } : {};
    return data(refusal(error.message, { errors, freeSlug, typed }), { status: statusOf(error) });
  }
}

function typedStory(form: FormData): UnfinishedStory {
  const text = (name: string) => String(form.get(name) ?? "");
  const slug = text("slug");
  const status = text("status") === "inactive" ? "inactive" : "active";
  return { title: text("title"), slug, slugTyped: slug !== "", content: plainLineBreaks(text("content")), status };
}

/** Without scripts nothing derives the slug: it is offered with the message that it is missing. */
async function invalid(typed: UnfinishedStory, found: Record<string, string[] | null>, pictureMissing: boolean) {
  const errors: PostRefusal["errors"] = {};
  for (const [field, messages] of Object.entries(found)) if (messages?.[0]) errors[field as PostField] = messages[0];
  if (pictureMissing) errors.featuredImage = postTexts.imageRequired;
  const slug = typed.slug || (typed.title.trim() === "" ? "" : await slugOf(typed.title));
  const reason = Object.values(errors)[0] ?? "";
  return data(refusal(reason, { errors, freeSlug: undefined, typed: { ...typed, slug } }), { status: 422 });
}

function refusal(reason: string, rest: Omit<PostRefusal, "message">): PostRefusal {
  return { message: `Failed to create post: ${reason}`, ...rest };
}

/** A lost connection must not take the form away: what was typed stays, and sending again is safe. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const lost = refusal("the connection was lost. Your text is safe here; please try again.", {
      errors: {},
      freeSlug: undefined,
      typed: null,
    });
    // With a success, the page's data would be loaded anew, and fail too.
    return data(lost, { status: 503 });
  }
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Create Post" });

export default function AddPostPage({ loaderData, actionData }: Route.ComponentProps) {
  const unfinished = useUnfinishedStory(loaderData.author.id, actionData?.typed ?? emptyStory);
  useToastOf(actionData);
  useFinish(unfinished.finish);
  return (
    <PostForm heading="Create Post" submitLabel="Publish Post" author={loaderData.author} unfinished={unfinished} refusal={actionData} />
  );
}

function useToastOf(refused: PostRefusal | undefined) {
  useEffect(() => {
    if (refused) showToast({ tone: "error", text: refused.message });
  }, [refused]);
}

/** The form has led to a story: the copy in this browser has done its work. */
function useFinish(finish: () => void) {
  const { state, formAction, location } = useNavigation();
  const published = state === "loading" && formAction?.startsWith("/add-post") && location.pathname.startsWith("/post/");
  useEffect(() => {
    if (published) finish();
  });
}
