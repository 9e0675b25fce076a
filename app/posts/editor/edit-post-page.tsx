import { data } from "react-router";
import { memberIn, siteContext } from "#app/context.ts";
import { parseForm } from "#app/forms/parse-form.server.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { readMemberCounters } from "#domain/counters/counters.server.ts";
import { copyIdOf, type Draft } from "#domain/drafts/draft.ts";
import { readWorkingCopy } from "#domain/drafts/draft-reads.server.ts";
import { readUploadForm } from "#domain/forms/read-form.server.ts";
import { postTexts } from "#domain/posts/post.ts";
import { PostChange } from "#domain/posts/posts.server.ts";
import { readForEditing, updatePost } from "#domain/posts/update-post.server.ts";
import { isRefusal } from "#domain/refusals.ts";
import type { Route } from "./+types/edit-post-page.ts";
import { PostForm } from "./post-form.tsx";
import { answerTo, errorsIn, readPosted } from "./post-submission.server.ts";
import { refusal, sendPost } from "./send-post.ts";

/** Someone else's story leads back to it; a draft of someone else isn't there. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const viewer = memberIn(context);
  const draftId = copyIdOf(viewer.id, params.id);
  const [story, copy] = await Promise.all([
    readForEditing(site, viewer, params.id).catch((error: unknown) => {
      if (!isRefusal(error) || error.code !== "not-allowed") throw error;
      throw redirectWithToast(`/post/${encodeURIComponent(params.id)}`, {
        tone: "error",
        text: viewer.suspendedUntil ? error.message : postTexts.notYours,
      });
    }),
    readWorkingCopy(site, viewer, draftId).catch((error: unknown) => {
      if (!isRefusal(error) || error.code !== "not-found") throw error;
      return null;
    }),
  ]);
  const author = { id: story.userId, name: story.userName, profileImage: story.profileImage };
  const { published } = await readMemberCounters(site, story.userId);
  return { story, copy, draftId, viewerId: viewer.id, author: { ...author, published } };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const viewer = memberIn(context);
  let typed: Draft | null = null;
  try {
    const form = await readUploadForm(request);
    const { picture, pictureId, origin, version, ...posted } = await readPosted(form);
    typed = { ...posted.typed, slug: params.id };
    const submission = await parseForm(form, PostChange);
    if (submission.status !== "success") {
      const errors = errorsIn(submission);
      return data(refusal("update", Object.values(errors)[0] ?? "", { errors, typed }), { status: 422 });
    }
    const change = { version, picture, pictureId, draft: origin };
    const { held } = await updatePost(context.get(siteContext), viewer, params.id, submission.value, change);
    if (held) return redirectWithToast(`/post/${encodeURIComponent(params.id)}`, { tone: "info", text: postTexts.heldNow });
    return redirectWithToast(`/post/${encodeURIComponent(params.id)}`, { tone: "success", text: postTexts.updated });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return answerTo("update", error, typed);
  }
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => sendPost("update", () => serverAction());

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Edit Post" });

export default function EditPostPage({ loaderData, actionData }: Route.ComponentProps) {
  const { story, copy, draftId, viewerId, author } = loaderData;
  const typed = actionData?.typed ?? null;
  return (
    <PostForm
      key={story.id}
      heading="Edit Post"
      submit={{ label: "Update Post", busy: "Updating...", action: `/edit-post/${story.id}` }}
      cancel={`/post/${story.id}`}
      author={author}
      story={story}
      beginning={{
        ...{ id: draftId, userId: viewerId, postId: story.id, postVersion: copy?.postVersion ?? story.version },
        ...{ base: copy?.revision ?? null, draft: typed ?? copy ?? story },
      }}
      opened={{ copy, anyNew: false, typed: typed !== null }}
      refusal={actionData}
    />
  );
}
