import { type FormEvent, type MouseEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { Form, useNavigation, useSubmit } from "react-router";
import { ComparisonDialog } from "#app/drafts/history/comparison-dialog.tsx";
import type { DraftSession, InitialDraft, SessionState } from "#app/drafts/session/draft-session.ts";
import { useDraftSession } from "#app/drafts/session/use-draft-session.ts";
import { useGoBack } from "#app/shell/go-back.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink, IconButton, IconLink } from "#app/ui/button.tsx";
import { ArrowLeft, Check, Ellipsis, ExternalLink, History } from "#app/ui/icons.tsx";
import { Menu, MenuLink } from "#app/ui/menu.tsx";
import { column } from "#app/ui/panel.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { type OtherVersion, sameDraft, type WorkingCopy } from "#domain/drafts/draft.ts";
import type { EditablePost } from "#domain/posts/update-post.server.ts";
import { FormNotices, formId, type PostRefusal, useOpenRefusal } from "./form-notices.tsx";
import { type CardAuthor, type FormState, PostFields } from "./post-fields.tsx";

type Props = {
  action: string;
  story: EditablePost | undefined;
  author: CardAuthor;
  opening: InitialDraft & { copy: WorkingCopy | null; anyNew: boolean; typed: boolean };
  refusal: PostRefusal | undefined;
  onSend: (session: DraftSession) => void;
};

/** Title, slug, text, status and picture of a story (specification §2, Post form). */
export function PostForm({ action, story, author, opening, refusal, onSend }: Props) {
  const { session, state } = useDraftSession(opening);
  const [{ pictureMissing, status }, setFormState] = useState<FormState>({ pictureMissing: false, status: session.draft.status });
  const hydrated = useHydrated();
  const { form, send, busy } = useSending(session, action, onSend);
  const { errors, message, changed } = useOpenRefusal(session, refusal);
  useNewerStory(session, story, opening.copy);
  return (
    <>
      <FormBar {...{ story, state, session, busy }} label={submitLabel(story, status)} blocked={hydrated && pictureMissing} />
      <div className={`${column} pt-8 pb-24 lg:pt-10`}>
        <FormNotices
          {...{ refusal, state, session, story }}
          message={hydrated ? message : refusal?.message}
          isContinued={opening.copy !== null && (story !== undefined || opening.anyNew)}
        />
        <Form ref={form} id={formId} method="post" action={action} encType="multipart/form-data" noValidate onSubmit={send}>
          <HiddenFields session={session} story={story} seen={refusal?.changed?.theirs ?? null} />
          <PostFields
            key={state.generation}
            {...{ session, story, author, errors }}
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

type Label = { idle: string; busy: string };

function submitLabel(story: EditablePost | undefined, status: FormState["status"]): Label {
  if (story) return { idle: "Update Post", busy: "Updating..." };
  return status === "inactive" ? { idle: "Save Draft", busy: "Saving..." } : { idle: "Publish Post", busy: "Publishing..." };
}

/** For a form sent without scripts; `filledIn` replaces them otherwise. */
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

/** `onSend` is called when nothing more is saved, right before the form is sent. */
function useSending(session: DraftSession, action: string, onSend: Props["onSend"]) {
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  const navigation = useNavigation();
  const isSending = navigation.formMethod === "POST" && navigation.formAction?.startsWith(action);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!form.current) return;
    await session.hold();
    onSend(session);
    void submit(filledIn(new FormData(form.current), session), {
      ...{ method: "post", action, encType: "multipart/form-data" },
      // Back leads to where the writer came from, not to an empty form.
      replace: true,
    });
  }
  return { form, send, busy: Boolean(isSending) };
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

/** Shows a conflict at once if the story was changed since its working copy was begun. */
function useNewerStory(session: DraftSession, story: EditablePost | undefined, copy: WorkingCopy | null): void {
  const compare = useEffectEvent(() => {
    if (!story || !copy || copy.postVersion === null || copy.postVersion >= story.version) return;
    if (!sameDraft(copy, story, false)) session.showConflict({ ...story, kind: "story", number: story.version, by: null });
  });
  useEffect(() => compare(), []);
}

type BarProps = {
  story: EditablePost | undefined;
  state: SessionState;
  session: DraftSession;
  label: Label;
  busy: boolean;
  blocked: boolean;
};

/** On phones two rows; the one with the buttons stays in sight. */
function FormBar({ story, state, session, label, busy, blocked }: BarProps) {
  const cancel = story ? `/post/${story.id}` : "/";
  const goBack = useGoBack();
  const links = barLinks({ story, state, session });
  const { upperRow, isAway } = useUpperRow();
  const showsState = isAway && (state.unsaved || state.kept);
  return (
    <div data-bar className="sticky top-0 z-(--z-sticky) border-b border-line bg-paper max-sm:top-[-3.5rem]">
      <div className={`${column} flex flex-wrap items-center gap-x-3 sm:min-h-16 sm:gap-y-2 sm:py-2`}>
        <div ref={upperRow} className="flex min-w-0 items-center gap-x-3 max-sm:h-14 max-sm:w-full">
          <IconLink to={cancel} onClick={goBack} label="Back" icon={ArrowLeft} className="-ml-2.5" />
          <h1 className="text-md font-semibold whitespace-nowrap">{story ? "Edit Post" : "Create Post"}</h1>
          <span role="status">
            <SaveState state={state} />
          </span>
          {links.length > 0 && (
            <span className="ml-auto sm:hidden">
              <Menu trigger={<IconButton label="More" icon={Ellipsis} className="-mr-2.5" />}>
                {links.map((linkProps) => (
                  <MenuLink key={linkProps.children} {...linkProps} suppressHydrationWarning />
                ))}
              </Menu>
            </span>
          )}
        </div>
        <div className="flex-1 max-sm:hidden" />
        <div className="flex flex-wrap items-center gap-2 max-sm:h-14 max-sm:w-full max-sm:[&>*]:flex-1">
          {links.map((link) => (
            <ButtonLink
              key={link.children}
              {...link}
              variant={link.target ? "secondary" : "ghost"}
              className="max-sm:hidden"
              suppressHydrationWarning
            />
          ))}
          {showsState && (
            <span aria-hidden className="text-center sm:hidden">
              <SaveState state={state} />
            </span>
          )}
          <ButtonLink to={cancel} onClick={goBack} variant="ghost" className={showsState ? "max-sm:hidden" : undefined}>
            Cancel
          </ButtonLink>
          <Button type="submit" form={formId} variant="primary" disabled={blocked} busy={busy} busyLabel={label.busy}>
            {label.idle}
          </Button>
        </div>
      </div>
    </div>
  );
}

function barLinks({ story, state, session }: Pick<BarProps, "story" | "state" | "session">) {
  const history = { to: story ? `/edit-post/${story.id}/history` : `/drafts/${state.id}/history`, icon: History, children: "History" };
  const preview = story && {
    to: state.kept ? previewPath(state) : `/post/${story.id}`,
    target: "_blank",
    icon: ExternalLink,
    children: "Preview Post",
    onClick: (event: MouseEvent) => state.unsaved && void previewUnsaved(event, session),
  };
  const link = { discover: "none" as const, target: undefined, onClick: () => {} };
  return [...(story || state.kept ? [{ ...link, ...history }] : []), ...(preview ? [{ ...link, ...preview }] : [])];
}

function previewPath({ id }: SessionState): string {
  return `/drafts/${id}/preview`;
}

/** The preview shows what the server has, so unsaved changes go there first. */
async function previewUnsaved(event: MouseEvent, session: DraftSession): Promise<void> {
  event.preventDefault();
  // Browsers block a window that is opened later.
  const tab = window.open("", "_blank");
  const saved = await session.saveNow();
  if (saved && tab) tab.location.assign(previewPath(session.state));
  else tab?.close();
  if (!saved) showToast({ tone: "error", text: "We couldn’t save your changes, so there’s no preview yet. Please try again." });
}

/** On phones the upper row scrolls away; the lower one then shows the save state instead of Cancel. */
function useUpperRow() {
  const upperRow = useRef<HTMLDivElement>(null);
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    // An element that only touches the edge counts as visible.
    const observer = new IntersectionObserver(([entry]) => setAway(entry?.isIntersecting === false), { rootMargin: "-1px" });
    if (upperRow.current) observer.observe(upperRow.current);
    return () => observer.disconnect();
  }, []);
  return { upperRow, isAway };
}

function SaveState({ state }: { state: SessionState }) {
  if (state.unsaved)
    return (
      <Badge tone="warning" dot="solid">
        <span>
          Unsaved<span className="max-[23rem]:hidden"> changes</span>
        </span>
      </Badge>
    );
  return (
    state.kept && (
      <Badge tone="success" icon={Check}>
        Saved
      </Badge>
    )
  );
}
