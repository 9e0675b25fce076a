import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { data, Form, redirect, useLocation, useNavigation, useSubmit } from "react-router";
import { requireMember, siteContext } from "#app/context.ts";
import { ComparisonDialog } from "#app/drafts/history/comparison-dialog.tsx";
import type { DraftSession } from "#app/drafts/session/draft-session.ts";
import { useDraftSession } from "#app/drafts/session/use-draft-session.ts";
import { isRequestFailure, limitMessage } from "#app/shell/closed.ts";
import { redirectWithToast, type Toast, toastCookie } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { Button } from "#app/ui/button.tsx";
import { column } from "#app/ui/panel.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { type Draft, emptyDraft, isSameDraft, type OtherVersion, type WorkingCopy } from "#domain/drafts/draft.ts";
import type { DraftConflict } from "#domain/drafts/working-copies.server.ts";
import { readUploadForm, uploadOf } from "#domain/forms/read-form.server.ts";
import { normalizeLineBreaks, problemsOf } from "#domain/normalize-input.ts";
import { requireSameMember } from "#domain/permissions.ts";
import { postTexts } from "#domain/posts/post.ts";
import { createPost, hasPicture, PostChange, PostInput, type SlugConflict } from "#domain/posts/posts.server.ts";
import { slugOf } from "#domain/posts/slug.ts";
import { type EditablePost, updatePost } from "#domain/posts/update-post.server.ts";
import { detailsOf, isRefusal, type Refusal, statusOf } from "#domain/refusals.ts";
import type { Route } from "./+types/editor-page.ts";
import { type EditorData, loadNewPost, loadPost } from "./editor-data.server.ts";
import { FormBar } from "./form-bar.tsx";
import { FormNotices, formId, type PostRefusal, useOpenRefusal } from "./form-notices.tsx";
import { awaitsPicture, withoutStalePlaceholders } from "./placeholders.ts";
import { type FormState, PostFields } from "./post-fields.tsx";

/** `/add-post` for a new story, `/edit-post/:id` for one that exists. */
export async function loader({ params: { id }, url, context }: Route.LoaderArgs): Promise<EditorData> {
  const [site, viewer] = [context.get(siteContext), requireMember(context)];
  return id === undefined ? loadNewPost(site, viewer, url.searchParams) : loadPost(site, viewer, id);
}

export async function action({ request, params: { id }, context }: Route.ActionArgs) {
  const [site, viewer] = [context.get(siteContext), requireMember(context)];
  const verb = id === undefined ? "create" : "update";
  let sent: SentDraft = { values: null, draftBase: undefined };
  try {
    const form = await readUploadForm(request);
    const [values, draftBase] = [draftIn(form, id), readDraftBase(form)];
    sent = { values, draftBase: undefined };
    requireSameMember(viewer, form.get("userId"));
    sent = { values, draftBase };
    const picture = await uploadOf(form, "featuredImage");
    const pictureId = values.featuredImage;
    const options = { pictureId, draftBase };
    if (id === undefined) {
      const { success, data: input, error } = await PostInput.safeParseAsync(Object.fromEntries(form));
      const missing = hasPicture({ picture, pictureId }) ? {} : { featuredImage: postTexts.imageRequired };
      if (!success || missing.featuredImage)
        return invalid(verb, { ...problemsOf(error?.issues), ...missing }, { draftBase, values: await withSlug(values) });
      const created = await createPost(site, viewer, input, picture, options);
      const text = input.status === "active" ? postTexts.created : postTexts.createdDraft;
      return respondSaved(form, created.id, created.held ? heldToast : { tone: "success", text });
    }
    const { success, data: input, error } = await PostChange.safeParseAsync(Object.fromEntries(form));
    if (!success) return invalid(verb, problemsOf(error.issues), sent);
    const version = Number(textOf(form, "version"));
    const { held } = await updatePost(site, viewer, id, input, { ...options, picture, version, keepsStatusOfOthers: true });
    return respondSaved(form, id, held ? heldToast : { tone: "success", text: postTexts.updated });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refused(verb, error, sent);
  }
}

const heldToast: Toast = { tone: "info", text: postTexts.heldNow };

function textOf(form: FormData, name: string): string {
  return String(form.get(name) ?? "");
}

/** What was typed, valid or not, for the form to show again. The slug of a story never changes. */
function draftIn(form: FormData, id: string | undefined): Draft {
  const slug = id ?? textOf(form, "slug");
  return {
    ...{ title: textOf(form, "title"), slug, slugTyped: slug !== "", content: normalizeLineBreaks(textOf(form, "content")) },
    ...{ status: textOf(form, "status") === "inactive" ? "inactive" : "active", featuredImage: textOf(form, "pictureId") || null },
  };
}

function readDraftBase(form: FormData) {
  const [id, base] = [textOf(form, "draftId"), textOf(form, "draftBase")];
  if (!id) return undefined;
  const writer = textOf(form, "draftWriter") || "a form without scripts";
  return { id, base: base === "" ? null : Number(base), writer, count: Number(textOf(form, "draftCount")) };
}

/** Without JavaScript nothing derives the slug: it is offered with the message that it is missing. */
async function withSlug(values: Draft): Promise<Draft> {
  return values.slug !== "" || values.title.trim() === "" ? values : { ...values, slug: await slugOf(values.title) };
}

type Verb = "create" | "update";
type SentDraft = Pick<PostRefusal, "values" | "draftBase">;

const emptyRefusal = { errors: {}, freeSlug: undefined, values: null, draftBase: undefined, changed: null };

function refusal(verb: Verb, reason: string, rest: Partial<PostRefusal> = {}): PostRefusal {
  return { message: `Failed to ${verb} post: ${reason}`, ...emptyRefusal, ...rest };
}

function invalid(verb: Verb, errors: PostRefusal["errors"], sent: SentDraft) {
  return data(refusal(verb, Object.values(errors)[0] ?? "", { errors, ...sent }), { status: 422 });
}

function refused(verb: Verb, error: Refusal, sent: SentDraft) {
  const changed = detailsOf<DraftConflict>(error, "changed-meanwhile");
  const rest = {
    freeSlug: detailsOf<SlugConflict>(error, "slug-taken")?.free,
    changed: changed ? { theirs: changed.theirs } : null,
    errors: error.field ? { [error.field]: error.message } : {},
  };
  return data(refusal(verb, error.message, { ...rest, ...sent }), { status: statusOf(error) });
}

/** With scripts, `clientAction` redirects, after the browser has removed its copy. */
function respondSaved(form: FormData, id: string, toast: Toast) {
  const saved = postPath(id);
  if (!form.has("draftWriter")) return redirectWithToast(saved, toast);
  return data({ saved }, { headers: { "set-cookie": toastCookie(toast) } });
}

function postPath(id: string): string {
  return `/post/${encodeURIComponent(id)}`;
}

/** The session whose form was sent last. */
let sentSession: DraftSession | undefined;

/** After a lost connection, the form stays as it is, and sending again is safe. */
export async function clientAction({ serverAction, params: { id } }: Route.ClientActionArgs) {
  try {
    const result = await serverAction();
    if (!("saved" in result)) return result;
    await sentSession?.finish();
    return redirect(result.saved);
  } catch (error) {
    if (!isRequestFailure(error)) throw error;
    const reason = limitMessage(error) ?? "the connection was lost. Your text is safe here. Please try again.";
    // After a success status the router would reload the page's data, which would fail as well.
    return data(refusal(id === undefined ? "create" : "update", reason), { status: 503 });
  }
}

export const meta: Route.MetaFunction = ({ matches, params: { id } }) =>
  pageMeta(matches, { title: id === undefined ? "Create Post" : "Edit Post" });

export default function EditorPage({ loaderData, actionData }: Route.ComponentProps) {
  const { search } = useLocation();
  const [draftId, setDraftId] = useState(loaderData.draftId);
  const [open, setOpen] = useState({ search, form: 0 });
  if (search !== open.search) {
    // The session has put the id of its draft into the browser's address (use-draft-session.ts). The router finds it there after a link
    // within the page, or after another form of the page was lost. A new form would begin without the session's text.
    const isShown = new URLSearchParams(search).get("draft") === draftId;
    setOpen({ search, form: isShown ? open.form : open.form + 1 });
  }
  const refusal = actionData && "message" in actionData ? actionData : undefined;
  const key = loaderData.post?.id ?? open.form;
  return <PostForm key={key} loaded={loaderData} search={search} refusal={refusal} onDraftId={setDraftId} />;
}

type FormProps = { loaded: EditorData; search: string; refusal: PostRefusal | undefined; onDraftId: (id: string) => void };

/** Title, slug, text, status and picture of a story (specification §2, Post form). */
function PostForm({ loaded, search, refusal, onDraftId }: FormProps) {
  const { author, viewerId, copy, continuesLatest } = loaded;
  // The latest unfinished story may be another one now.
  const { id, base } = refusal?.draftBase ?? { id: loaded.draftId, base: copy?.revision ?? null };
  const post = loaded.post ?? undefined;
  const action = post ? `/edit-post/${post.id}` : `/add-post${search}`;
  const values = refusal?.values ?? null;
  const isDraft = new URLSearchParams(search).get("new") === "draft";
  const { session, state } = useDraftSession({
    ...{ id, base, userId: viewerId, postId: post?.id ?? null, copy: copy?.id === id ? copy : null },
    ...{ postVersion: post ? (copy?.postVersion ?? post.version) : null, continuesLatest, hasChanges: values !== null },
    draft: values ?? copy ?? post ?? (isDraft ? { ...emptyDraft, status: "inactive" } : emptyDraft),
  });
  const [{ pictureMissing, status }, setFormState] = useState<FormState>({ pictureMissing: false, status: session.draft.status });
  const hydrated = useHydrated();
  const { form, send, busy, inert } = useSending(session, action, refusal);
  const { errors, message, changed } = useOpenRefusal(session, refusal);
  useNewerPost(session, post, copy);
  useEffect(() => onDraftId(state.id), [onDraftId, state.id]);
  const label = submitLabel(post, status);
  return (
    <>
      <FormBar post={post} state={state} session={session}>
        <Button type="submit" form={formId} variant="primary" disabled={hydrated && pictureMissing} busy={busy} busyLabel={label.busy}>
          {label.idle}
        </Button>
      </FormBar>
      <div className={`${column} pt-8 pb-24 lg:pt-10`}>
        <FormNotices
          {...{ refusal, state, session, post }}
          message={hydrated ? message : refusal?.message}
          isContinued={copy !== null && (post !== undefined || continuesLatest)}
        />
        <Form ref={form} id={formId} method="post" action={action} encType="multipart/form-data" noValidate inert={inert} onSubmit={send}>
          {Object.entries(draftBaseFields(session, refusal?.changed?.theirs)).map(([name, value]) => (
            <input type="hidden" key={`${name} ${value}`} name={name} defaultValue={value} suppressHydrationWarning />
          ))}
          <PostFields
            key={state.generation}
            {...{ session, post, author, errors }}
            freeSlug={refusal?.freeSlug}
            onState={setFormState}
            onChanged={changed}
          />
        </Form>
      </div>
      <ComparisonDialog session={session} state={state} />
    </>
  );
}

function submitLabel(post: EditablePost | undefined, status: FormState["status"]) {
  if (post) return { idle: "Update Post", busy: "Updating..." };
  return status === "inactive" ? { idle: "Save Draft", busy: "Saving..." } : { idle: "Publish Post", busy: "Publishing..." };
}

/** `inert` until the response: a saved story's copy in the browser is removed, and with it whatever was typed meanwhile. */
function useSending(session: DraftSession, action: string, refusal: PostRefusal | undefined) {
  const [sent, setSent] = useState<{ after: PostRefusal | undefined }>();
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  const navigation = useNavigation();
  const isSending = navigation.formMethod === "POST" && navigation.formAction?.startsWith(action);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!form.current || sent) return;
    if (awaitsPicture(session.draft.content))
      return showToast({ tone: "info", text: "A picture is still uploading. Please wait, then try again." });
    setSent({ after: refusal });
    try {
      await session.pause();
      sentSession = session;
      await submit(filledIn(new FormData(form.current), session), {
        ...{ method: "post", action, encType: "multipart/form-data" },
        // Back leads to where the writer came from, not to an empty form.
        replace: true,
      });
    } finally {
      setSent(undefined);
      // Also if a link within the page interrupted it. A published draft stays finished.
      session.resume();
    }
  }
  const busy = Boolean(isSending);
  // A refusal moves the focus into the form in the render that shows it.
  return { form, send, busy, inert: sent ? sent.after === refusal : busy };
}

/** The draft that becomes the story, and the versions that the writer has seen. */
function draftBaseFields(
  { draft, draftBase, post: { userId, postVersion } }: DraftSession,
  seen?: OtherVersion | null,
): Record<string, string> {
  const base = seen?.kind === "draft" ? seen.number : draftBase.base;
  const version = seen?.kind === "story" ? seen.number : postVersion;
  return {
    userId,
    draftId: draftBase.id,
    draftBase: String(base ?? ""),
    pictureId: draft.featuredImage ?? "",
    ...(version !== null && { version: String(version) }),
  };
}

function filledIn(form: FormData, session: DraftSession): FormData {
  const { draft, draftBase } = session;
  const sender = { draftWriter: draftBase.writer, draftCount: String(draftBase.count) };
  const fields = { ...draftBaseFields(session), ...sender, content: withoutStalePlaceholders(draft.content) };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (draft.featuredImage) form.delete("featuredImage");
  return form;
}

/** Shows a conflict at once if the story was changed since its working copy was begun. */
function useNewerPost(session: DraftSession, post: EditablePost | undefined, copy: WorkingCopy | null): void {
  const compare = useEffectEvent(() => {
    if (!post || !copy || copy.postVersion === null || copy.postVersion >= post.version) return;
    if (!isSameDraft(copy, post, false)) session.showConflict({ ...post, kind: "story", number: post.version, by: null });
  });
  useEffect(() => compare(), []);
}
