import { type MouseEvent, useEffect, useRef, useState } from "react";
import type { DraftSession } from "#app/drafts/session/draft-session.ts";
import type { SessionState } from "#app/drafts/session/session-state.ts";
import { useGoBack } from "#app/shell/go-back.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink, IconButton, IconLink } from "#app/ui/button.tsx";
import { ArrowLeft, Check, Ellipsis, ExternalLink, History } from "#app/ui/icons.tsx";
import { Menu, MenuLink } from "#app/ui/menu.tsx";
import { column } from "#app/ui/panel.tsx";
import type { EditablePost } from "#domain/posts/update-post.server.ts";

export type Submit = { label: string; busy: string; action: string };

type Props = {
  heading: string;
  submit: Submit;
  cancel: string;
  story: EditablePost | undefined;
  state: SessionState;
  session: DraftSession;
  busy: boolean;
  blocked: boolean;
  formId: string;
};

/** On phones two rows, of which the one with the buttons stays in sight. */
export function FormBar({ heading, submit, cancel, story, state, session, busy, blocked, formId }: Props) {
  const goBack = useGoBack();
  const ways = barActions({ story, state, session });
  const { upperRow, isAway } = useUpperRow();
  const saysHere = isAway && (state.unsaved || state.kept);
  return (
    <div data-bar className="sticky top-0 z-(--z-sticky) border-b border-line bg-paper max-sm:top-[-3.5rem]">
      <div className={`${column} flex flex-wrap items-center gap-x-3 sm:min-h-16 sm:gap-y-2 sm:py-2`}>
        <div ref={upperRow} className="flex min-w-0 items-center gap-x-3 max-sm:h-14 max-sm:w-full">
          <IconLink to={cancel} onClick={goBack} label="Back" icon={ArrowLeft} className="-ml-2.5" />
          <h1 className="text-md font-semibold whitespace-nowrap">{heading}</h1>
          <span role="status">
            <SaveState state={state} />
          </span>
          {ways.length > 0 && (
            <span className="ml-auto sm:hidden">
              <Menu trigger={<IconButton label="More" icon={Ellipsis} className="-mr-2.5" />}>
                {ways.map((linkProps) => (
                  <MenuLink key={linkProps.children} {...linkProps} suppressHydrationWarning />
                ))}
              </Menu>
            </span>
          )}
        </div>
        <div className="flex-1 max-sm:hidden" />
        <div className="flex flex-wrap items-center gap-2 max-sm:h-14 max-sm:w-full max-sm:[&>*]:flex-1">
          {ways.map((way) => (
            <ButtonLink
              key={way.children}
              {...way}
              variant={way.target ? "secondary" : "ghost"}
              className="max-sm:hidden"
              suppressHydrationWarning
            />
          ))}
          {saysHere && (
            <span aria-hidden className="text-center sm:hidden">
              <SaveState state={state} />
            </span>
          )}
          <ButtonLink to={cancel} onClick={goBack} variant="ghost" className={saysHere ? "max-sm:hidden" : undefined}>
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

function barActions({ story, state, session }: Pick<Props, "story" | "state" | "session">) {
  const history = { to: story ? `/edit-post/${story.id}/history` : `/drafts/${state.id}/history`, icon: History, children: "History" };
  const preview = story && {
    to: state.kept ? previewPath(state) : `/post/${story.id}`,
    target: "_blank",
    icon: ExternalLink,
    children: "Preview Post",
    onClick: (event: MouseEvent) => state.unsaved && void previewUnsaved(event, session),
  };
  const way = { discover: "none" as const, target: undefined, onClick: () => {} };
  return [...(story || state.kept ? [{ ...way, ...history }] : []), ...(preview ? [{ ...way, ...preview }] : [])];
}

function previewPath({ id }: SessionState): string {
  return `/drafts/${id}/preview`;
}

/** The preview is of what the server has: what was typed this moment goes there first. */
async function previewUnsaved(event: MouseEvent, session: DraftSession): Promise<void> {
  event.preventDefault();
  // Later, the browser would take it for a window that nobody asked for.
  const tab = window.open("", "_blank");
  const saved = await session.saveNow();
  if (saved && tab) tab.location.assign(previewPath(session.state));
  else tab?.close();
  if (!saved) showToast({ tone: "error", text: "We couldn’t save your changes, so there’s no preview yet. Please try again." });
}

/** On phones, where the upper row slides away, the lower one says what is saved in the place of Cancel. */
function useUpperRow() {
  const upperRow = useRef<HTMLDivElement>(null);
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    // What only touches the edge counts as in sight.
    const sight = new IntersectionObserver(([entry]) => setAway(entry?.isIntersecting === false), { rootMargin: "-1px" });
    if (upperRow.current) sight.observe(upperRow.current);
    return () => sight.disconnect();
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
