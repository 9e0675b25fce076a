import { data, redirect, useLocation } from "react-router";
import { memberIn, siteContext } from "#app/context.ts";
import type { DraftSession } from "#app/drafts/session/draft-session.ts";
import { isNetworkFailure, limitMessage } from "#app/shell/closed.ts";
import { redirectWithToast, type Toast, toastCookie } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { readMemberCounters } from "#domain/counters/counters.server.ts";
import { copyIdOf, type Draft, emptyDraft, isOwnCopyId, newCopyId, type WorkingCopy } from "#domain/drafts/draft.ts";
import { latestUnfinished, readWorkingCopy } from "#domain/drafts/draft-reads.server.ts";
import type { DraftConflict } from "#domain/drafts/working-copies.server.ts";
import { parseForm, readUploadForm, uploadOf } from "#domain/forms/read-form.server.ts";
import { plainLineBreaks } from "#domain/normalize-input.ts";
import { postTexts } from "#domain/posts/post.ts";
import { createPost, hasPicture, PostChange, PostInput, type SlugTaken } from "#domain/posts/posts.server.ts";
import { slugOf } from "#domain/posts/slug.ts";
import { type EditablePost, readForEditing, updatePost } from "#domain/posts/update-post.server.ts";
import { detailsOf, isRefusal, type Refusal, statusOf } from "#domain/refusals.ts";
import type { Member, Site } from "#domain/site.ts";
import type { Route } from "./+types/editor-page.ts";
import type { PostRefusal } from "./form-notices.tsx";
import { PostForm } from "./post-form.tsx";

type Loaded = {
  story: EditablePost | null;
  author: { id: string; name: string; profileImage: string | null; published: number };
  viewerId: string;
  copy: WorkingCopy | null;
  draftId: string;
  /** The address names neither a story nor a draft. */
  anyNew: boolean;
};

/** `/add-post` for a new story, `/edit-post/:id` for one that exists. */
export async function loader({ params: { id }, url, context }: Route.LoaderArgs): Promise<Loaded> {
  const [site, viewer] = [context.get(siteContext), memberIn(context)];
  return id === undefined ? loadNew(site, viewer, url.searchParams) : loadStory(site, viewer, id);
}

/** `?draft=` names an unfinished story, `?new` begins another, `?new=draft` one with status Draft. Without either, the latest is continued. */
async function loadNew(site: Site, viewer: Member, query: URLSearchParams): Promise<Loaded> {
  const requestedId = query.get("draft");
  const anyNew = !requestedId && !query.has("new");
  const [copy, { published }] = await Promise.all([
    anyNew ? latestUnfinished(site, viewer) : requestedId ? findCopy(site, viewer, requestedId) : null,
    readMemberCounters(site, viewer.id),
  ]);
  const { id, name, profileImage } = viewer;
  const draftId = copy?.id ?? (requestedId && isOwnCopyId(id, requestedId) ? requestedId : newCopyId());
  return { story: null, author: { id, name, profileImage, published }, viewerId: id, copy, draftId, anyNew };
}

/** Someone else's story redirects to it; someone else's draft is not found. */
async function loadStory(site: Site, viewer: Member, id: string): Promise<Loaded> {
  const draftId = copyIdOf(viewer.id, id);
  const [story, copy] = await Promise.all([
    readForEditing(site, viewer, id).catch((error: unknown) => {
      if (!isRefusal(error) || error.code !== "not-allowed") throw error;
      throw redirectWithToast(postPath(id), { tone: "error", text: viewer.suspendedUntil ? error.message : postTexts.notYours });
    }),
    findCopy(site, viewer, draftId),
  ]);
  const { userId, userName: name, profileImage } = story;
  const { published } = await readMemberCounters(site, userId);
  return { story, author: { id: userId, name, profileImage, published }, viewerId: viewer.id, copy, draftId, anyNew: false };
}

/** Null before its first save. */
async function findCopy(site: Site, viewer: Member, id: string): Promise<WorkingCopy | null> {
  return readWorkingCopy(site, viewer, id).catch((error: unknown) => {
    if (isRefusal(error) && error.code === "not-found") return null;
    throw error;
  });
}

export async function action({ request, params: { id }, context }: Route.ActionArgs) {
  const [site, viewer] = [context.get(siteContext), memberIn(context)];
  const verb = id === undefined ? "create" : "update";
  let typed: Draft | null = null;
  try {
    const form = await readUploadForm(request);
    typed = typedIn(form, id);
    const picture = await uploadOf(form, "featuredImage");
    const pictureId = typed.featuredImage;
    const sent = { picture, pictureId, draft: originIn(form) };
    if (id === undefined) {
      const submission = await parseForm(form, PostInput);
      const missing = hasPicture(sent) ? {} : { featuredImage: postTexts.imageRequired };
      if (submission.status !== "success" || missing.featuredImage)
        return invalid(verb, { ...errorsIn(submission), ...missing }, await withSlug(typed));
      const created = await createPost(site, viewer, submission.value, picture, sent);
      const text = submission.value.status === "active" ? postTexts.created : postTexts.createdDraft;
      return savedAnswer(form, created.id, created.held ? heldToast : { tone: "success", text });
    }
    const submission = await parseForm(form, PostChange);
    if (submission.status !== "success") return invalid(verb, errorsIn(submission), typed);
    const { held } = await updatePost(site, viewer, id, submission.value, { ...sent, version: Number(textOf(form, "version")) });
    return savedAnswer(form, id, held ? heldToast : { tone: "success", text: postTexts.updated });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refused(verb, error, typed);
  }
}

const heldToast: Toast = { tone: "info", text: postTexts.heldNow };

function textOf(form: FormData, name: string): string {
  return String(form.get(name) ?? "");
}

/** What was typed, valid or not, for the form to show again. The slug of a story never changes. */
function typedIn(form: FormData, id: string | undefined): Draft {
  const slug = id ?? textOf(form, "slug");
  return {
    ...{ title: textOf(form, "title"), slug, slugTyped: slug !== "", content: plainLineBreaks(textOf(form, "content")) },
    ...{ status: textOf(form, "status") === "inactive" ? "inactive" : "active", featuredImage: textOf(form, "pictureId") || null },
  };
}

function originIn(form: FormData) {
  const [id, base] = [textOf(form, "draftId"), textOf(form, "draftBase")];
  if (!id) return undefined;
  return { id, base: base === "" ? null : Number(base), writer: textOf(form, "draftWriter") || "a form without scripts" };
}

/** Without scripts nothing derives the slug: it is offered with the message that it is missing. */
async function withSlug(typed: Draft): Promise<Draft> {
  return typed.slug !== "" || typed.title.trim() === "" ? typed : { ...typed, slug: await slugOf(typed.title) };
}

function errorsIn(submission: { reply(): { error?: Record<string, string[] | null> | null } }): PostRefusal["errors"] {
  const errors = Object.entries(submission.reply().error ?? {});
  return Object.fromEntries(errors.flatMap(([field, messages]) => (messages?.[0] ? [[field, messages[0]]] : [])));
}

type Verb = "create" | "update";

function refusal(verb: Verb, reason: string, rest: Partial<PostRefusal> = {}): PostRefusal {
  return { message: `Failed to ${verb} post: ${reason}`, errors: {}, freeSlug: undefined, typed: null, changed: null, ...rest };
}

function invalid(verb: Verb, errors: PostRefusal["errors"], typed: Draft) {
  return data(refusal(verb, Object.values(errors)[0] ?? "", { errors, typed }), { status: 422 });
}

function refused(verb: Verb, error: Refusal, typed: Draft | null) {
  const changed = detailsOf<DraftConflict>(error, "changed-meanwhile");
  const rest = {
    freeSlug: detailsOf<SlugTaken>(error, "slug-taken")?.free,
    changed: changed ? { theirs: changed.theirs } : null,
    errors: error.field ? { [error.field]: error.message } : {},
  };
  return data(refusal(verb, error.message, { ...rest, typed }), { status: statusOf(error) });
}

/** With scripts, `clientAction` redirects, after the browser has removed its copy. */
function savedAnswer(form: FormData, id: string, toast: Toast) {
  const saved = postPath(id);
  if (!form.has("draftWriter")) return redirectWithToast(saved, toast);
  return data({ saved }, { headers: { "set-cookie": toastCookie(toast) } });
}

function postPath(id: string): string {
  return `/post/${encodeURIComponent(id)}`;
}

/** The session whose form was sent last. */
let sending: DraftSession | undefined;

/** After a lost connection, the form stays as it is, and sending again is safe. */
export async function clientAction({ serverAction, params: { id } }: Route.ClientActionArgs) {
  try {
    const answer = await serverAction();
    if (!("saved" in answer)) return answer;
    await sending?.finish();
    return redirect(answer.saved);
  } catch (error) {
    if (!isNetworkFailure(error)) throw error;
    const reason = limitMessage(error) ?? "the connection was lost. Your text is safe here. Please try again.";
    // With a success, the page's data would be reloaded, and fail too.
    return data(refusal(id === undefined ? "create" : "update", reason), { status: 503 });
  }
}

export const meta: Route.MetaFunction = ({ matches, params: { id } }) =>
  pageMeta(matches, { title: id === undefined ? "Create Post" : "Edit Post" });

export default function EditorPage({ loaderData, actionData }: Route.ComponentProps) {
  const { story, author, viewerId, copy, draftId, anyNew } = loaderData;
  // The router's address: the session may have put the draft's id into the browser's (use-draft-session.ts).
  const { search } = useLocation();
  const refusal = actionData && "message" in actionData ? actionData : undefined;
  const typed = refusal?.typed ?? null;
  const isDraft = new URLSearchParams(search).get("new") === "draft";
  return (
    <PostForm
      key={story?.id ?? search}
      action={story ? `/edit-post/${story.id}` : `/add-post${search}`}
      story={story ?? undefined}
      author={author}
      opening={{
        ...{ id: draftId, userId: viewerId, postId: story?.id ?? null, base: copy?.revision ?? null },
        ...{ postVersion: story && (copy?.postVersion ?? story.version), copy, anyNew, typed: typed !== null },
        draft: typed ?? copy ?? story ?? (isDraft ? { ...emptyDraft, status: "inactive" } : emptyDraft),
      }}
      refusal={refusal}
      onSend={(session) => {
        sending = session;
      }}
    />
  );
}
