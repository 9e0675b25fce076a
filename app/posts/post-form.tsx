import { type FormEvent, memo, useEffect, useEffectEvent, useRef, useState } from "react";
import { Form, useNavigation, useSubmit } from "react-router";
import { ComparisonDialog } from "#app/drafts/comparison-dialog.tsx";
import type { Beginning, DraftKeeper } from "#app/drafts/keeper.ts";
import { beginPublishing } from "#app/drafts/publishing.ts";
import { useKeeper } from "#app/drafts/use-keeper.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { column } from "#app/ui/panel.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { sameDraft, type Theirs, type WorkingCopy } from "#domain/drafts/draft.ts";
import { postTexts } from "#domain/posts/post.ts";
import type { EditableStory } from "#domain/posts/update-post.server.ts";
import { AuthorCard, type CardAuthor } from "./author-card.tsx";
import { FeaturedImageField } from "./featured-image-field.tsx";
import { FormBar, type Submit } from "./form-bar.tsx";
import { FormNotices } from "./form-notices.tsx";
import { MarkdownEditor } from "./markdown-editor.tsx";
import type { PostRefusal } from "./post-refusal.ts";
import { StatusField } from "./status-field.tsx";
import { TitleAndSlug } from "./title-and-slug.tsx";

type Props = {
  heading: string;
  submit: Submit;
  cancel: string;
  author: CardAuthor;
  /** The story that is being edited, as readers have it. */
  story?: EditableStory | undefined;
  beginning: Beginning;
  opened: { copy: WorkingCopy | null; anyNew: boolean; typed: boolean };
  refusal: PostRefusal | undefined;
};

const formId = "story-form";

/** Title, slug, text, status and picture of a story (specification §2, Post form). */
export function PostForm({ heading, submit, cancel, author, story, beginning, opened, refusal }: Props) {
  const { keeper, state } = useKeeper({ ...beginning, ...opened });
  const [pictureChosen, setPictureChosen] = useState(keeper.draft.featuredImage !== null);
  const hydrated = useHydrated();
  const { form, send, busy } = usePublishing(keeper, submit.action);
  useRefusal(keeper, refusal);
  useMovedOn(keeper, story, opened.copy);
  const blocked = hydrated && !story && !pictureChosen;
  return (
    <>
      <FormBar {...{ heading, submit, cancel, story, state, busy, blocked, formId }} />
      <div className={`${column} pt-8 pb-24 lg:pt-10`}>
        <FormNotices {...{ refusal, state, keeper, story }} goesOn={opened.copy !== null && (story !== undefined || opened.anyNew)} />
        <Form ref={form} id={formId} method="post" action={submit.action} encType="multipart/form-data" noValidate onSubmit={send}>
          <HiddenFields keeper={keeper} story={story} seen={refusal?.changed?.theirs ?? null} />
          <Fields key={state.generation} {...{ keeper, story, author, refusal }} onPicture={setPictureChosen} />
        </Form>
      </div>
      <ComparisonDialog keeper={keeper} state={state} />
    </>
  );
}

type FieldsProps = Pick<Props, "author" | "refusal"> & {
  story: EditableStory | undefined;
  keeper: DraftKeeper;
  onPicture: (chosen: boolean) => void;
};

/** Begin anew, by their key, when the keeper's text comes from elsewhere. Memoized: being saved or not renders none of them. */
const Fields = memo(function Fields({ keeper, story, author, refusal, onPicture }: FieldsProps) {
  const [draft, setDraft] = useState(keeper.draft);
  const [pictureChosen, setPictureChosen] = useState(draft.featuredImage !== null);
  const hydrated = useHydrated();
  const tell = useEffectEvent(onPicture);
  useEffect(() => tell(pictureChosen), [pictureChosen]);
  const errors = refusal?.errors ?? {};
  const complete = draft.title.trim() !== "" && draft.slug.trim() !== "";
  const pictureError = errors.featuredImage ?? (complete && !pictureChosen && !story ? postTexts.imageRequired : undefined);

  function change(part: Partial<typeof draft>) {
    setDraft((before) => ({ ...before, ...part }));
    keeper.change(part);
  }

  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="min-w-0">
        <TitleAndSlug story={draft} change={change} slugIsFixed={story !== undefined} errors={errors} freeSlug={refusal?.freeSlug} />
        <MarkdownEditor initial={draft.content} onChange={(read) => keeper.type(read)} error={errors.content} />
      </div>
      <aside className="flex flex-col gap-4 lg:pt-7" aria-label="Story settings">
        <StatusField value={draft.status} onChange={(status) => change({ status })} error={errors.status} />
        <FeaturedImageField
          kept={draft.featuredImage}
          error={hydrated ? pictureError : errors.featuredImage}
          onChange={({ chosen, fileId }) => {
            setPictureChosen(chosen);
            keeper.change({ featuredImage: fileId ?? (story && !chosen ? story.featuredImage : null) });
          }}
        />
        <AuthorCard {...author} />
      </aside>
    </div>
  );
});

/** For the form as it is sent without scripts; with them `usePublishing` fills in what holds by then. */
function HiddenFields({ keeper, story, seen }: { keeper: DraftKeeper; story: EditableStory | undefined; seen: Theirs | null }) {
  const { id } = keeper.origin;
  const base = seen?.kind === "draft" ? seen.number : keeper.origin.base;
  const version = seen?.kind === "story" ? seen.number : keeper.postVersion;
  return (
    <>
      <input type="hidden" name="draftId" defaultValue={id} suppressHydrationWarning />
      <input type="hidden" name="draftBase" key={`base ${base}`} defaultValue={base ?? ""} />
      <input type="hidden" name="pictureId" defaultValue={keeper.draft.featuredImage ?? ""} />
      {story && <input type="hidden" name="version" key={version} defaultValue={version ?? story.version} />}
    </>
  );
}

/** The button: what is on its way to the server arrives first, then everything goes at once. */
function usePublishing(keeper: DraftKeeper, action: string) {
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  const navigation = useNavigation();
  const mine = navigation.formMethod === "POST" && navigation.formAction?.startsWith(action);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!form.current) return;
    await keeper.hold();
    beginPublishing(keeper);
    void submit(filledIn(new FormData(form.current), keeper), { method: "post", action, encType: "multipart/form-data" });
  }
  return { form, send, busy: Boolean(mine) };
}

function filledIn(data: FormData, { draft, origin, postVersion }: DraftKeeper): FormData {
  data.set("content", draft.content);
  data.set("draftId", origin.id);
  data.set("draftBase", String(origin.base ?? ""));
  data.set("draftWriter", origin.writer);
  data.set("pictureId", draft.featuredImage ?? "");
  if (postVersion !== null) data.set("version", String(postVersion));
  if (draft.featuredImage) data.delete("featuredImage");
  return data;
}

/** What the server refused: said, and either compared or typed on. */
function useRefusal(keeper: DraftKeeper, refused: PostRefusal | undefined): void {
  useEffect(() => {
    if (!refused) return;
    showToast({ tone: "error", text: refused.message });
    if (refused.changed) keeper.meet(refused.changed.theirs);
    else keeper.resume();
  }, [refused, keeper]);
}

/** The story has been changed since its working copy was begun: seen at once rather than when the button is pressed. */
function useMovedOn(keeper: DraftKeeper, story: EditableStory | undefined, copy: WorkingCopy | null): void {
  const compare = useEffectEvent(() => {
    if (!story || !copy || copy.postVersion === null || copy.postVersion >= story.version) return;
    if (!sameDraft(copy, story, false)) keeper.meet({ ...story, kind: "story", number: story.version, by: null });
  });
  useEffect(() => compare(), []);
}
