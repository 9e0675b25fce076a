import { Dialog as Radix } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { DraftSession, SessionState } from "#app/drafts/session/draft-session.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { Button, IconButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { ArrowDown, ArrowUp } from "#app/ui/icons.tsx";
import { scrim } from "#app/ui/panels/dialog-parts.tsx";
import type { Draft, OtherVersion } from "#domain/drafts/draft.ts";
import { compareTexts, type Passage } from "./compare-texts.ts";

type Props = { session: DraftSession; state: SessionState };

/** Shows a conflict side by side. Nothing is saved until the writer has chosen. */
export function ComparisonDialog({ session, state }: Props) {
  const { conflict } = state;
  return (
    <Radix.Root open={conflict !== null}>
      <Radix.Portal>
        <Radix.Overlay className={scrim} />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            // Focus the question, not the text that scrolls.
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          tabIndex={-1}
          className="fixed inset-4 z-(--z-dialog) mx-auto flex max-w-[76rem] flex-col rounded-xl border border-line bg-overlay p-6 shadow-lg outline-none sm:inset-8"
        >
          {conflict?.theirs && (
            <Comparison
              key={conflict.theirs.kind + conflict.theirs.number}
              session={session}
              mine={session.draft}
              theirs={conflict.theirs}
            />
          )}
          {conflict && !conflict.theirs && <Gone session={session} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const statusNames = { active: "Published", inactive: "Draft" };

function Comparison({ session, mine, theirs }: { session: DraftSession; mine: Draft; theirs: OtherVersion }) {
  const [busy, setBusy] = useState(false);
  const [passages] = useState(() => compareTexts(mine.content, theirs.content));
  const differences = passages.filter(({ difference }) => difference !== null).length;
  const { sides, current, go } = useDifferences(differences);
  const heading = theirs.kind === "story" ? `The current story${theirs.by ? `, by ${theirs.by}` : ""}` : "Saved in another tab or browser";

  async function keepBoth() {
    setBusy(true);
    const isKept = await session.keepBoth();
    setBusy(false);
    showToast(
      isKept
        ? { tone: "success", text: "Your version is saved as a separate unfinished story in your drafts" }
        : { tone: "error", text: "We couldn’t save your version. Nothing has changed. Please try again." },
    );
  }

  return (
    <>
      <Radix.Title className="display text-t2">Two versions of this text</Radix.Title>
      <Radix.Description className="mt-1 text-base text-ink-2">
        This was changed somewhere else. Nothing is lost: pick which version to keep. Differences are highlighted.
      </Radix.Description>
      {differences > 0 && (
        <div className="mt-3 flex items-center gap-1 text-sm text-ink-2">
          <span role="status" className="num mr-1">
            Difference {current + 1} of {differences}
          </span>
          <IconButton size="sm" label="Previous difference" icon={ArrowUp} disabled={current === 0} onClick={() => go(current - 1)} />
          <IconButton
            size="sm"
            label="Next difference"
            icon={ArrowDown}
            disabled={current >= differences - 1}
            onClick={() => go(current + 1)}
          />
        </div>
      )}
      <div ref={sides} className="mt-3 grid min-h-0 flex-1 gap-4 max-md:grid-rows-2 md:grid-cols-2">
        <Side heading="My version, on this page" title={mine.title} passages={passages} side="before" current={current} />
        <Side heading={heading} title={theirs.title} passages={passages} side="after" current={current} />
      </div>
      <p className="mt-3 text-sm text-ink-2 empty:hidden">
        {mine.status !== theirs.status && `Mine is set to ${statusNames[mine.status]}, theirs to ${statusNames[theirs.status]}. `}
        {mine.featuredImage !== theirs.featuredImage && "The featured pictures differ."}
      </p>
      <div className="mt-5 flex flex-wrap justify-end gap-2 max-sm:*:flex-1">
        <Button onClick={() => session.keepTheirs()}>Keep theirs</Button>
        <Button onClick={() => void keepBoth()} busy={busy}>
          Keep both
        </Button>
        <Button variant="primary" onClick={() => session.keepMine()}>
          Keep mine
        </Button>
      </div>
    </>
  );
}

/** Scrolls both sides to the same difference. */
function useDifferences(count: number) {
  const sides = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  useEffect(() => {
    if (count === 0) return;
    const shown = sides.current?.querySelectorAll(`[data-difference="${current}"]`) ?? [];
    for (const passage of shown) passage.scrollIntoView({ block: "center" });
  }, [current, count]);
  return { sides, current, go: setCurrent };
}

const marked = { before: "bg-accent-soft", after: "bg-info-soft" };

type SideProps = { heading: string; title: string; passages: Passage[]; side: "before" | "after"; current: number };

function Side({ heading, title, passages, side, current }: SideProps) {
  return (
    <section className="flex min-h-0 min-w-0 flex-col rounded-lg border border-line bg-raised" aria-label={heading}>
      <h3 className="border-b border-line px-4 py-2.5 text-sm font-semibold">{heading}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <div tabIndex={0} className="scrollbar-quiet min-h-0 flex-1 overflow-y-auto px-4 py-3 font-reading text-base leading-[1.6]">
        <p dir="auto" className="display mb-2 text-t1">
          {title || "Untitled Post"}
        </p>
        {passages.map(({ difference, parts }, index) => (
          <p
            // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes.
            key={index}
            data-difference={difference ?? undefined}
            className={classNames(
              "min-h-[0.4em] whitespace-pre-wrap [unicode-bidi:plaintext]",
              difference !== null && "-mx-2 border-l-2 px-2",
              difference !== null && (difference === current ? "border-accent" : "border-line-strong"),
            )}
          >
            {parts
              .filter(({ only }) => only === null || only === side)
              .map(({ text, only }, place) =>
                only ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes.
                  <mark key={place} className={classNames("rounded-[2px] text-ink", marked[side])}>
                    {text}
                  </mark>
                ) : (
                  text
                ),
              )}
          </p>
        ))}
      </div>
    </section>
  );
}

function Gone({ session }: { session: DraftSession }) {
  const navigate = useNavigate();
  async function discardMine() {
    await session.finish();
    await navigate("/profile?tab=drafts");
  }
  return (
    <>
      <Radix.Title className="display text-t2">This draft no longer exists</Radix.Title>
      <Radix.Description className="mt-1 text-base text-ink-2">
        It was published or discarded in another tab or browser. Your text is still here.
      </Radix.Description>
      <div className="mt-4 min-h-0 flex-1">
        <Side
          heading="My version, on this page"
          title={session.draft.title}
          passages={[{ difference: null, parts: [{ text: session.draft.content, only: null }] }]}
          side="before"
          current={0}
        />
      </div>
      <div className="mt-5 flex flex-wrap justify-end gap-2 max-sm:*:flex-1">
        <Button variant="danger" onClick={() => void discardMine()}>
          Discard mine
        </Button>
        <Button variant="primary" onClick={() => session.keepMine()}>
          Keep mine
        </Button>
      </div>
    </>
  );
}
