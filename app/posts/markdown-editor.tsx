import { Eye, Pencil } from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from "react";
import { Segmented } from "#app/ui/segmented.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { countWords } from "#domain/posts/post.ts";
import { readMinutes } from "#domain/wording.ts";
import { type Command, commandOfKey, MarkdownToolbar } from "./markdown-toolbar.tsx";
import { StoryPreview } from "./story-preview.tsx";

type Props = { value: string; onChange: (value: string) => void; error: string | undefined };

/** Markdown in a text area with a toolbar, and a preview by the server that is what readers will get. */
export function MarkdownEditor({ value, onChange, error }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [mode, setMode] = useState<"edit" | "preview">("edit");
  const hydrated = useHydrated();

  function run({ edit }: Command) {
    if (area.current) applyEdit(area.current, edit);
  }
  function onKeyDown(event: KeyboardEvent) {
    const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey ? commandOfKey(event.key) : undefined;
    if (!command) return;
    event.preventDefault();
    run(command);
  }

  return (
    <div className="mt-6">
      <div className="overflow-hidden rounded-lg border border-line-strong bg-raised shadow-sm focus-within:border-control">
        {hydrated && (
          <div className="flex flex-col-reverse border-b border-line lg:flex-row lg:items-center">
            <MarkdownToolbar disabled={mode === "preview"} onCommand={run} />
            <div className="px-2 py-1.5">
              <Segmented
                label="View"
                value={mode}
                onChange={setMode}
                segments={[
                  { value: "edit", label: "Edit", icon: Pencil },
                  { value: "preview", label: "Preview", icon: Eye },
                ]}
              />
            </div>
          </div>
        )}
        <div className="relative h-[450px] lg:h-[560px]">
          {mode === "preview" && <StoryPreview markdown={value} />}
          <div hidden={mode === "preview"} className="h-full">
            <span aria-hidden className="absolute inset-y-0 left-5 w-px bg-accent/45 lg:left-12" />
            <label htmlFor="content" className="sr-only">
              Content
            </label>
            <textarea
              ref={area}
              id="content"
              name="content"
              dir="auto"
              value={value}
              onChange={(event) => onChange(event.target.value)}
              onKeyDown={onKeyDown}
              placeholder="Write your story…"
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? "content-error" : undefined}
              className="scrollbar-quiet block h-full w-full resize-none bg-transparent py-8 pr-5 pl-9 font-reading text-[1.125rem] leading-[1.75] outline-none lg:pr-16 lg:pl-20"
            />
          </div>
        </div>
        <Figures markdown={value} />
      </div>
      {error && (
        <p id="content-error" className="mt-1.5 text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

/** Counted when there is time, so that a long text types as fast as a short one. */
function Figures({ markdown }: { markdown: string }) {
  const settled = useDeferredValue(markdown);
  const words = useMemo(() => countWords(settled), [settled]);
  return (
    <div className="num flex h-10 items-center justify-between border-t border-line px-4 text-sm text-ink-2">
      <span>
        {words.toLocaleString("en-US")} {words === 1 ? "word" : "words"}
      </span>
      <span>{readMinutes(words)} min read</span>
    </div>
  );
}

/** Types the edit as a person would, so that undo takes it back. */
function applyEdit(area: HTMLTextAreaElement, edit: Command["edit"]) {
  const { from, to, insert, selectFrom, selectTo } = edit({ text: area.value, from: area.selectionStart, to: area.selectionEnd });
  area.focus();
  area.setSelectionRange(from, to);
  if (!document.execCommand("insertText", false, insert)) {
    area.setRangeText(insert);
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }
  area.setSelectionRange(selectFrom, selectTo);
}
