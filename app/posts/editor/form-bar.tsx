import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { DraftSession, SessionState } from "#app/drafts/session/draft-session.ts";
import { useGoBack } from "#app/shell/go-back.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink, IconButton, IconLink } from "#app/ui/button.tsx";
import { ArrowLeft, Check, Ellipsis, ExternalLink, History } from "#app/ui/icons.tsx";
import { Menu, MenuLink } from "#app/ui/menu.tsx";
import { column } from "#app/ui/panel.tsx";
import type { EditablePost } from "#domain/posts/update-post.server.ts";

type BarProps = {
  post: EditablePost | undefined;
  state: SessionState;
  session: DraftSession;
  /** The submit button. */
  children: ReactNode;
};

/** On phones two rows; the one with the buttons stays in sight. */
export function FormBar({ post, state, session, children }: BarProps) {
  const cancel = post ? `/post/${post.id}` : "/";
  const goBack = useGoBack();
  const links = barLinks({ post, state, session });
  const { upperRow, isHidden } = useUpperRow();
  const showsState = isHidden && (state.unsaved || state.hasWorkingCopy);
  return (
    <div data-bar className="sticky top-0 z-(--z-sticky) border-b border-line bg-paper max-sm:top-[-3.5rem]">
      <div className={`${column} flex flex-wrap items-center gap-x-3 sm:min-h-16 sm:gap-y-2 sm:py-2`}>
        <div ref={upperRow} className="flex min-w-0 items-center gap-x-3 max-sm:h-14 max-sm:w-full">
          <IconLink to={cancel} onClick={goBack} label="Back" icon={ArrowLeft} className="-ml-2.5" />
          <h1 className="text-md font-semibold whitespace-nowrap">{post ? "Edit Post" : "Create Post"}</h1>
          <SaveState state={state} />
          <SaveAnnouncement state={state} />
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
          {children}
        </div>
      </div>
    </div>
  );
}

function barLinks({ post, state, session }: Pick<BarProps, "post" | "state" | "session">) {
  const history = { to: post ? `/edit-post/${post.id}/history` : `/drafts/${state.id}/history`, icon: History, children: "History" };
  const preview = post && {
    to: state.hasWorkingCopy ? previewPath(state) : `/post/${post.id}`,
    target: "_blank",
    icon: ExternalLink,
    children: "Preview Post",
    onClick: (event: MouseEvent) => state.unsaved && void previewUnsaved(event, session),
  };
  const link = { target: undefined, onClick: () => {} };
  return [...(post || state.hasWorkingCopy ? [{ ...link, ...history }] : []), ...(preview ? [{ ...link, ...preview }] : [])];
}

function previewPath({ id }: SessionState): string {
  return `/drafts/${id}/preview`;
}

/** The preview shows what the server has, so unsaved changes are saved first. */
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
  const [isHidden, setHidden] = useState(false);
  useEffect(() => {
    // An element that only touches the edge counts as visible.
    const observer = new IntersectionObserver(([entry]) => setHidden(entry?.isIntersecting === false), { rootMargin: "-1px" });
    if (upperRow.current) observer.observe(upperRow.current);
    return () => observer.disconnect();
  }, []);
  return { upperRow, isHidden };
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
    state.hasWorkingCopy && (
      <Badge tone="success" icon={Check}>
        Saved
      </Badge>
    )
  );
}

/** Says that the text is saved the first time and after a failure; each time would interrupt whoever types with a screen reader. */
function SaveAnnouncement({ state: { unsaved, hasWorkingCopy, trouble } }: { state: SessionState }) {
  const [news, setNews] = useState<"none" | "expected" | "saved">("none");
  const isExpected = trouble !== null || (news === "none" && unsaved);
  const next = isExpected ? "expected" : news === "expected" && hasWorkingCopy && !unsaved ? "saved" : news;
  if (next !== news) setNews(next);
  return (
    <span role="status" className="sr-only">
      {news === "saved" && "Your text is saved."}
    </span>
  );
}
