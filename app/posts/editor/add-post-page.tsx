import { data, useLocation } from "react-router";
import { memberIn, siteContext } from "#app/context.ts";
import { parseForm } from "#app/forms/parse-form.server.ts";
import type { PostRefusal } from "#app/posts/post-refusal.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { readMemberCounters } from "#domain/counters/counters.server.ts";
import { type Draft, emptyDraft, isOwnCopyId, newCopyId } from "#domain/drafts/draft.ts";
import { latestUnfinished, readWorkingCopy } from "#domain/drafts/draft-reads.server.ts";
import { readUploadForm } from "#domain/forms/read-form.server.ts";
import { postTexts } from "#domain/posts/post.ts";
import { createPost, PostInput } from "#domain/posts/posts.server.ts";
import { slugOf } from "#domain/posts/slug.ts";
import { isRefusal } from "#domain/refusals.ts";
import type { Member, Site } from "#domain/site.ts";
import type { Route } from "./+types/add-post-page.ts";
import { PostForm } from "./post-form.tsx";
import { answerTo, errorsIn, readPosted } from "./post-submission.server.ts";
import { refusal, sendPost } from "./send-post.ts";

/** `?draft=` names an unfinished story, `?new` begins another, `?new=draft` one that isn’t to be published yet; without either the one that was worked on last goes on. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const viewer = memberIn(context);
  const asked = url.searchParams.get("draft");
  const anyNew = !asked && !url.searchParams.has("new");
  const [copy, { published }] = await Promise.all([findCopy(site, viewer, asked, anyNew), readMemberCounters(site, viewer.id)]);
  const { id, name, profileImage } = viewer;
  const draftId = copy?.id ?? (asked && isOwnCopyId(id, asked) ? asked : newCopyId());
  return { author: { id, name, profileImage, published }, copy, draftId, anyNew };
}

async function findCopy(site: Site, viewer: Member, asked: string | null, anyNew: boolean) {
  if (anyNew) return latestUnfinished(site, viewer);
  if (!asked) return null;
  // The page that begins a story names it before its first save.
  return readWorkingCopy(site, viewer, asked).catch((error: unknown) => {
    if (isRefusal(error) && error.code === "not-found") return null;
    throw error;
  });
}

export async function action({ request, context }: Route.ActionArgs) {
  const viewer = memberIn(context);
  let typed: Draft | null = null;
  try {
    const form = await readUploadForm(request);
    const posted = await readPosted(form);
    typed = posted.typed;
    const submission = await parseForm(form, PostInput);
    const pictureMissing = !posted.picture && !posted.pictureId;
    if (submission.status !== "success" || pictureMissing) return invalid(typed, errorsIn(submission), pictureMissing);
    const sent = { draft: posted.origin, pictureId: posted.pictureId };
    const { id, held } = await createPost(context.get(siteContext), viewer, submission.value, posted.picture, sent);
    if (held) return redirectWithToast(`/post/${id}`, { tone: "info", text: postTexts.heldNow });
    const text = submission.value.status === "active" ? postTexts.created : postTexts.createdDraft;
    return redirectWithToast(`/post/${id}`, { tone: "success", text });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return answerTo("create", error, typed);
  }
}

/** Without scripts nothing derives the slug: it is offered with the message that it is missing. */
async function invalid(typed: Draft, errors: PostRefusal["errors"], pictureMissing: boolean) {
  if (pictureMissing) errors.featuredImage = postTexts.imageRequired;
  const slug = typed.slug || (typed.title.trim() === "" ? "" : await slugOf(typed.title));
  const reason = Object.values(errors)[0] ?? "";
  return data(refusal("create", reason, { errors, typed: { ...typed, slug } }), { status: 422 });
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => sendPost("create", () => serverAction());

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Create Post" });

export default function AddPostPage({ loaderData, actionData }: Route.ComponentProps) {
  const { author, copy, draftId, anyNew } = loaderData;
  // Where the router believes to be: the form answers on the address that it was asked for on.
  const { search } = useLocation();
  const typed = actionData?.typed ?? null;
  return (
    <PostForm
      key={search}
      heading="Create Post"
      submit={{ label: "Publish Post", busy: "Publishing...", action: `/add-post${search}` }}
      cancel="/"
      author={author}
      beginning={{
        ...{ id: draftId, userId: author.id, postId: null, postVersion: null, base: copy?.revision ?? null },
        draft: typed ?? copy ?? (new URLSearchParams(search).get("new") === "draft" ? { ...emptyDraft, status: "inactive" } : emptyDraft),
      }}
      opened={{ copy, anyNew, typed: typed !== null }}
      refusal={actionData}
    />
  );
}
