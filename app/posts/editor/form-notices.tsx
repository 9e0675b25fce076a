import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { useNavigation } from "react-router";
import { FormAlert } from "#app/accounts/settings-section.tsx";
import type { DraftSession, SessionState } from "#app/drafts/session/draft-session.ts";
import { loginPath } from "#app/shell/refusals.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { ConfirmFormDialog } from "#app/ui/dialogs/confirm-form-dialog.tsx";
import { CloudOff, LogIn, Trash2 } from "#app/ui/icons.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { type Draft, type DraftBase, draftTexts, type OtherVersion } from "#domain/drafts/draft.ts";
import type { EditablePost } from "#domain/posts/update-post.server.ts";

export const formId = "story-form";

export type PostField = "title" | "slug" | "content" | "status" | "featuredImage";

/** Why a story was not saved, and what was typed, which a form without JavaScript shows again. */
export type PostRefusal = {
  /** The specification's sentence with its reason (§8, Post submit fails). */
  message: string;
  errors: Partial<Record<PostField, string | undefined>>;
  freeSlug: string | undefined;
  /** Null if the form could not be read. */
  values: Draft | null;
  /** The draft that the form names. */
  draftBase: Pick<DraftBase, "id" | "base"> | undefined;
  /** The text was changed since the writer saw it; `theirs` is null if it is gone. */
  changed: { theirs: OtherVersion | null } | null;
};

type OpenRefusal = {
  /** Errors of fields that have not been changed since. */
  errors: PostRefusal["errors"];
  /** Undefined if a field shows it. */
  message: string | undefined;
  changed: (...fields: PostField[]) => void;
};

const none: readonly PostField[] = [];

/** A field's error disappears when the field is changed. */
export function useOpenRefusal(session: DraftSession, refused: PostRefusal | undefined): OpenRefusal {
  const [since, setSince] = useState<{ of: PostRefusal | undefined; fields: readonly PostField[] }>({ of: refused, fields: none });
  const hydrated = useHydrated();
  const fields = since.of === refused ? since.fields : none;
  useEffect(() => {
    if (!refused) return;
    showToast({ tone: "error", text: refused.message });
    if (refused.changed) session.showConflict(refused.changed.theirs);
    else session.resume();
    document.querySelector<HTMLElement>(`#${formId} [aria-invalid=true]`)?.focus();
  }, [refused, session]);
  const errors = useMemo(() => {
    const named = Object.entries(refused?.errors ?? {}) as [PostField, string | undefined][];
    // With scripts the slug follows the title, so only the missing title is shown.
    const follows = hydrated && refused?.values?.slug === "" && refused.errors.title;
    return Object.fromEntries(named.filter(([field, error]) => error && !fields.includes(field) && !(follows && field === "slug")));
  }, [refused, fields, hydrated]);
  const changed = useCallback(
    (...now: PostField[]) => {
      if (!refused) return;
      setSince((before) => {
        const openFields = before.of === refused ? before.fields : none;
        return now.every((field) => openFields.includes(field)) ? before : { of: refused, fields: [...openFields, ...now] };
      });
    },
    [refused],
  );
  const isOfField = Object.values(refused?.errors ?? {}).some(Boolean);
  return { errors, changed, message: refused && !isOfField && fields.length === 0 ? refused.message : undefined };
}

type Props = {
  refusal: PostRefusal | undefined;
  message: string | undefined;
  state: SessionState;
  session: DraftSession;
  post: EditablePost | undefined;
  isContinued: boolean;
};

export function FormNotices({ refusal, message, state, session, post, isContinued }: Props) {
  const hydrated = useHydrated();
  return (
    <div className="mb-6 flex flex-col gap-3 empty:hidden">
      {message && <FormAlert>{message}</FormAlert>}
      {!hydrated && refusal?.changed?.theirs && <OtherVersionWithoutScripts theirs={refusal.changed.theirs} />}
      <Trouble state={state} post={post} />
      {(state.restored || isContinued) && !post && (
        <Notice>
          <span>We restored your unfinished story.</span>
          <ButtonLink to="/add-post?new" size="sm">
            Start a new story
          </ButtonLink>
        </Notice>
      )}
      {(state.restored || isContinued) && post && <UnfinishedChanges session={session} state={state} post={post} />}
    </div>
  );
}

function UnfinishedChanges({ session, state, post }: Pick<Props, "session" | "state"> & { post: EditablePost }) {
  const discard = `/drafts/${state.id}/discard`;
  const next = `/post/${post.id}`;
  const { formAction } = useNavigation();
  const discarding = formAction === discard;
  useEffect(() => {
    if (!discarding) return;
    void session.pause();
    // A failed request leads back to this page.
    return () => void (window.location.pathname === next ? session.finish() : session.resume());
  }, [discarding, next, session]);
  return (
    <Notice>
      <span>We restored your unsaved changes. {post.status === "active" && "Readers still see the published version."}</span>
      <ConfirmFormDialog
        button={{ size: "sm", variant: "danger", icon: Trash2, children: "Discard changes" }}
        title="Discard your changes?"
        text={draftTexts.discardChangesQuestion}
        confirmLabel="Discard"
        danger
        action={discard}
        fields={{ next }}
      />
    </Notice>
  );
}

function Trouble({ state, post }: Pick<Props, "state" | "post">) {
  if (state.trouble === null) return null;
  const here = state.journalFails
    ? "This browser can’t save it either. Don’t close this page, and copy your text somewhere safe."
    : "Your text is saved in this browser.";
  const path = post ? `/edit-post/${post.id}` : `/add-post?draft=${state.id}`;
  const signIn = (
    <ButtonLink to={loginPath(path)} target="_blank" size="sm" icon={LogIn}>
      Sign in again
    </ButtonLink>
  );
  const messages: Record<NonNullable<SessionState["trouble"]>, ReactNode> = {
    unreachable: <span>You’re offline or the site isn’t responding. {here} We’ll save it when you reconnect.</span>,
    "signed-out": (
      <>
        <span>You’ve been signed out. {here} Sign in again to save it to your account.</span>
        {signIn}
      </>
    ),
    "someone-else": (
      <>
        <span>You’re signed in with another account. {here} It’ll be saved when its author signs in.</span>
        {signIn}
      </>
    ),
    refused: (
      <span>
        {state.reason || "This can’t be saved"}. {here}
      </span>
    ),
  };
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-warning-line bg-warning-soft px-4 py-2.5 text-sm text-warning"
    >
      <CloudOff aria-hidden className="size-4 shrink-0" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-3">{messages[state.trouble]}</div>
    </div>
  );
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <div role="status" className="flex flex-wrap items-center justify-between gap-3 rounded-md bg-sunken px-4 py-2.5 text-sm text-ink-2">
      {children}
    </div>
  );
}

function OtherVersionWithoutScripts({ theirs }: { theirs: OtherVersion }) {
  return (
    <label className="block">
      <span className="text-sm font-medium">
        {draftTexts.theirsTitle}: {theirs.title}
      </span>
      <textarea
        readOnly
        rows={12}
        value={theirs.content}
        className="mt-1 block w-full rounded-md border border-control bg-sunken p-3 font-reading"
      />
      <span className="mt-1 block text-sm text-ink-2">Save again to replace it with your version below.</span>
    </label>
  );
}
