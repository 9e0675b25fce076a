import { type FormEvent, memo, useEffect, useEffectEvent, useRef, useState } from "react";
import { Form, useNavigation, useSubmit } from "react-router";
import { ComparisonDialog } from "#app/drafts/history/comparison-dialog.tsx";
import type { DraftSession, InitialDraft } from "#app/drafts/session/draft-session.ts";
import { useDraftSession } from "#app/drafts/session/use-draft-session.ts";
import { AuthorCard, type CardAuthor } from "#app/posts/author-card.tsx";
import type { PostField, PostRefusal } from "#app/posts/post-refusal.ts";
import { column } from "#app/ui/panel.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { type OtherVersion, sameDraft, type WorkingCopy } from "#domain/drafts/draft.ts";
import { type PostStatus, postTexts } from "#domain/posts/post.ts";
import type { EditablePost } from "#domain/posts/update-post.server.ts";
import { FeaturedImageField } from "./featured-image-field.tsx";
import { FormBar, type Submit } from "./form-bar.tsx";
import { FormNotices } from "./form-notices.tsx";
import { MarkdownEditor } from "./markdown-editor.tsx";
import { beginPublishing } from "./send-post.ts";
import { StatusField } from "./status-field.tsx";
import { TitleAndSlug } from "./title-and-slug.tsx";
import { useOpenRefusal } from "./use-open-refusal.ts";

type Props = {
  heading: string;
  submit: Submit;
  cancel: string;
  author: CardAuthor;
  story?: EditablePost | undefined;
  beginning: InitialDraft;
  opened: { copy: WorkingCopy | null; anyNew: boolean; typed: boolean };
  refusal: PostRefusal | undefined;
};

const formId = "story-form";

/** Title, slug, text, status and picture of a story (specification §2, Post form). */
export function PostForm({ heading, submit, cancel, author, story, beginning, opened, refusal }: Props) {
  const { session, state } = useDraftSession({ ...beginning, ...opened });
  const [chosen, setChosen] = useState<FormState>({ picture: session.draft.featuredImage !== null, status: session.draft.status });
  const hydrated = useHydrated();
  const { form, send, busy } = usePublishing(session, submit.action);
  const { errors, message, changed } = useOpenRefusal(session, refusal);
  useMovedOn(session, story, opened.copy);
  const blocked = hydrated && !story && !chosen.picture;
  const button = !story && chosen.status === "inactive" ? { ...submit, label: "Save Draft", busy: "Saving..." } : submit;
  return (
    <>
      <FormBar {...{ heading, cancel, story, state, session, busy, blocked, formId }} submit={button} />
      <div className={`${column} pt-8 pb-24 lg:pt-10`}>
        <FormNotices
          {...{ refusal, state, session, story }}
          message={hydrated ? message : refusal?.message}
          goesOn={opened.copy !== null && (story !== undefined || opened.anyNew)}
        />
        <Form ref={form} id={formId} method="post" action={submit.action} encType="multipart/form-data" noValidate onSubmit={send}>
          <HiddenFields session={session} story={story} seen={refusal?.changed?.theirs ?? null} />
          <Fields
            key={state.generation}
            {...{ session, story, author }}
            errors={errors}
            freeSlug={refusal?.freeSlug}
            onChosen={setChosen}
            onChanged={changed}
          />
        </Form>
      </div>
      <ComparisonDialog session={session} state={state} />
    </>
  );
}

/** What the bar’s button depends on. */
type FormState = { picture: boolean; status: PostStatus };

type FieldsProps = Pick<Props, "author"> & {
  story: EditablePost | undefined;
  session: DraftSession;
  errors: PostRefusal["errors"];
  freeSlug: string | undefined;
  onChosen: (chosen: FormState) => void;
  onChanged: (...fields: PostField[]) => void;
};

/** Begin again, by their key, when the session's text comes from elsewhere. Memoized: being saved or not renders none of them. */
const Fields = memo(function Fields({ session, story, author, errors, freeSlug, onChosen, onChanged }: FieldsProps) {
  const [draft, setDraft] = useState(session.draft);
  const [pictureChosen, setPictureChosen] = useState(draft.featuredImage !== null);
  const hydrated = useHydrated();
  const reportState = useEffectEvent(onChosen);
  useEffect(() => reportState({ picture: pictureChosen, status: draft.status }), [pictureChosen, draft.status]);
  const complete = draft.title.trim() !== "" && draft.slug.trim() !== "";
  const pictureError = errors.featuredImage ?? (complete && !pictureChosen && !story ? postTexts.imageRequired : undefined);

  function change(part: Partial<typeof draft>) {
    setDraft((before) => ({ ...before, ...part }));
    session.change(part);
    onChanged(...(Object.keys(part).filter((name) => name !== "slugTyped") as PostField[]));
  }

  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="min-w-0">
        <TitleAndSlug story={draft} change={change} slugIsFixed={story !== undefined} errors={errors} freeSlug={freeSlug} />
        <MarkdownEditor
          initial={draft.content}
          onChange={(read) => {
            session.type(read);
            onChanged("content");
          }}
          error={errors.content}
        />
      </div>
      <aside className="flex flex-col gap-4 lg:pt-7" aria-label="Story settings">
        <StatusField value={draft.status} onChange={(status) => change({ status })} error={errors.status} />
        <FeaturedImageField
          kept={draft.featuredImage}
          error={hydrated ? pictureError : errors.featuredImage}
          onChange={({ chosen, fileId }) => {
            setPictureChosen(chosen);
            onChanged("featuredImage");
            session.change({ featuredImage: fileId ?? (story && !chosen ? story.featuredImage : null) });
          }}
        />
        <AuthorCard {...author} />
      </aside>
    </div>
  );
});

/** For the form as it is sent without scripts; with them `usePublishing` fills in what holds by then. */
function HiddenFields({ session, story, seen }: { session: DraftSession; story: EditablePost | undefined; seen: OtherVersion | null }) {
  const { id } = session.origin;
  const base = seen?.kind === "draft" ? seen.number : session.origin.base;
  const version = seen?.kind === "story" ? seen.number : session.postVersion;
  return (
    <>
      <input type="hidden" name="draftId" defaultValue={id} suppressHydrationWarning />
      <input type="hidden" name="draftBase" key={`base ${base}`} defaultValue={base ?? ""} />
      <input type="hidden" name="pictureId" defaultValue={session.draft.featuredImage ?? ""} />
      {story && <input type="hidden" name="version" key={version} defaultValue={version ?? story.version} />}
    </>
  );
}

function usePublishing(session: DraftSession, action: string) {
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  const navigation = useNavigation();
  const mine = navigation.formMethod === "POST" && navigation.formAction?.startsWith(action);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!form.current) return;
    await session.hold();
    beginPublishing(session);
    void submit(filledIn(new FormData(form.current), session), {
      ...{ method: "post", action, encType: "multipart/form-data" },
      // Back leads to where the writer came from, not to an empty form.
      replace: true,
    });
  }
  return { form, send, busy: Boolean(mine) };
}

function filledIn(data: FormData, { draft, origin, postVersion }: DraftSession): FormData {
  data.set("content", draft.content);
  data.set("draftId", origin.id);
  data.set("draftBase", String(origin.base ?? ""));
  data.set("draftWriter", origin.writer);
  data.set("pictureId", draft.featuredImage ?? "");
  if (postVersion !== null) data.set("version", String(postVersion));
  if (draft.featuredImage) data.delete("featuredImage");
  return data;
}

function useMovedOn(session: DraftSession, story: EditablePost | undefined, copy: WorkingCopy | null): void {
  const compare = useEffectEvent(() => {
    if (!story || !copy || copy.postVersion === null || copy.postVersion >= story.version) return;
    if (!sameDraft(copy, story, false)) session.showConflict({ ...story, kind: "story", number: story.version, by: null });
  });
  useEffect(() => compare(), []);
}
