import { ArrowLeft, Check, ExternalLink, History } from "lucide-react";
import type { SessionState } from "#app/drafts/session/session-state.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink, IconLink } from "#app/ui/button.tsx";
import { column } from "#app/ui/panel.tsx";
import type { EditablePost } from "#domain/posts/update-post.server.ts";

export type Submit = { label: string; busy: string; action: string };

type Props = {
  heading: string;
  submit: Submit;
  cancel: string;
  story: EditablePost | undefined;
  state: SessionState;
  busy: boolean;
  blocked: boolean;
  formId: string;
};

export function FormBar({ heading, submit, cancel, story, state, busy, blocked, formId }: Props) {
  const history = story ? `/edit-post/${story.id}/history` : `/drafts/${state.id}/history`;
  return (
    <div data-bar className="sticky top-0 z-(--z-sticky) border-b border-line bg-paper">
      <div className={`${column} flex min-h-16 flex-wrap items-center gap-x-3 gap-y-2 py-2`}>
        <IconLink to={cancel} label="Back" icon={ArrowLeft} className="-ml-2.5" />
        <h1 className="text-md font-semibold">{heading}</h1>
        <SaveState state={state} />
        <div className="flex-1 max-sm:hidden" />
        <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:[&>*]:flex-1">
          {(story || state.kept) && (
            <ButtonLink to={history} discover="none" variant="ghost" icon={History} suppressHydrationWarning>
              History
            </ButtonLink>
          )}
          {story && (
            <ButtonLink to={`/post/${story.id}`} target="_blank" variant="secondary" icon={ExternalLink}>
              Preview Post
            </ButtonLink>
          )}
          <ButtonLink to={cancel} variant="ghost">
            Cancel
          </ButtonLink>
          <Button type="submit" form={formId} variant="primary" disabled={blocked} busy={busy} busyLabel={submit.busy}>
            {submit.label}
          </Button>
        </div>
      </div>
    </div>
  );
}

function SaveState({ state }: { state: SessionState }) {
  return (
    <span role="status">
      {state.unsaved ? (
        <Badge tone="warning" dot="solid">
          Unsaved changes
        </Badge>
      ) : (
        state.kept && (
          <Badge tone="success" icon={Check}>
            Saved
          </Badge>
        )
      )}
    </span>
  );
}
