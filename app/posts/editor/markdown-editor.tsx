import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { readNonce } from "#app/nonce.tsx";
import { showToast } from "#app/shell/toasts.tsx";
import { FieldError } from "#app/ui/field.tsx";
import { Eye, Pencil } from "#app/ui/icons.tsx";
import { Segmented } from "#app/ui/segmented.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { fullCount, readMinutes } from "#domain/format.ts";
import { countWords, stripMarkdown } from "#domain/posts/post.ts";
import type { CodeEditor } from "./code-editor.ts";
import { type LinkChoice, LinkDialog } from "./link-dialog.tsx";
import type { Edit, Selection } from "./markdown-edits.ts";
import { link, unlink } from "./markdown-links.ts";
import { type Command, commandOfKey, MarkdownToolbar } from "./markdown-toolbar.tsx";
import { withoutStalePlaceholders } from "./placeholders.ts";
import { PostPreview } from "./post-preview.tsx";
import { type TextPicture, TextPictures, usePictures } from "./text-pictures.tsx";

type Props = {
  /** Only the first value is used. */
  initial: string;
  onChange: (read: () => string) => void;
  error: string | undefined;
};

type Mode = "edit" | "preview";

export function MarkdownEditor({ initial, onChange, error }: Props) {
  const sheet = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const text = useRef(() => initial);
  const [mode, setMode] = useState<Mode>("edit");
  const [linking, setLinking] = useState<Selection | null>(null);
  const hydrated = useHydrated();
  const change = (read: () => string) => {
    text.current = read;
    onChange(read);
  };
  const { editor, marks, pictures, choose } = useCodeEditor({ sheet, area, text, change, command: run });
  const isInvalid = Boolean(error);
  useEffect(() => editor?.setInvalid(isInvalid), [editor, isInvalid]);

  function apply(edit: (selection: Selection) => Edit) {
    if (editor) editor.apply(edit);
    else if (area.current) applyEdit(area.current, edit);
  }
  function run({ does }: Command) {
    if (does === "ask for a link") setLinking(editor?.selection() ?? (area.current && selectionOf(area.current)));
    else if (does !== "ask for a picture") apply(does);
    else if (editor) files.current?.click();
    else showToast({ tone: "info", text: "The editor is still loading. Please try again in a moment." });
  }
  function linkChosen(choice: LinkChoice | null) {
    setLinking(null);
    if (choice) apply((selection) => (choice === "remove" ? unlink(selection) : link(selection, choice)));
  }
  function onKeyDown(event: KeyboardEvent) {
    const command = commandOfKey(event.nativeEvent);
    if (!command) return;
    event.preventDefault();
    run(command);
  }

  return (
    <div className="mt-6">
      <div className="overflow-clip rounded-lg border border-line-strong bg-raised shadow-sm has-[.cm-focused,textarea:focus-visible]:border-ink has-[.cm-focused,textarea:focus-visible]:outline-2 has-[.cm-focused,textarea:focus-visible]:outline-accent">
        {hydrated && <EditorBar mode={mode} onMode={setMode} marks={marks} onCommand={run} pictures={pictures} />}
        <div className="relative h-[450px] [--sheet-end:1.25rem] [--sheet-start:2.25rem] lg:h-[560px] lg:[--sheet-end:4rem] lg:[--sheet-start:5rem]">
          {mode === "preview" && <PostPreview markdown={text.current()} />}
          <div hidden={mode === "preview"} className="h-full">
            <span aria-hidden className="absolute inset-y-0 left-5 w-px bg-accent/45 lg:left-12" />
            <label id="content-label" htmlFor="content" className="sr-only">
              Content
            </label>
            <div ref={sheet} hidden={!editor} className="h-full" />
            {!editor && (
              <textarea
                ref={area}
                id="content"
                name="content"
                dir="auto"
                defaultValue={initial}
                onChange={({ target: { value } }) => change(() => value)}
                onKeyDown={onKeyDown}
                placeholder="Write your story…"
                aria-invalid={error ? true : undefined}
                aria-describedby={error ? "content-error" : undefined}
                className="scrollbar-quiet block h-full w-full resize-none bg-transparent py-8 pr-(--sheet-end) pl-(--sheet-start) font-reading text-[1.125rem] leading-[1.75] outline-none"
              />
            )}
          </div>
        </div>
        <WordCount initial={initial} text={text} />
      </div>
      <input
        ref={files}
        type="file"
        accept="image/*"
        multiple
        hidden
        data-pictures
        onChange={({ target }) => {
          choose([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <LinkDialog selection={linking} onChoose={linkChosen} onClosed={() => (editor ?? area.current)?.focus()} />
      {error && <FieldError id="content-error">{error}</FieldError>}
    </div>
  );
}

type EditorBarProps = {
  mode: Mode;
  onMode: (mode: Mode) => void;
  marks: readonly string[];
  onCommand: (command: Command) => void;
  pictures: TextPicture[];
};

/** Sticky below the form's bar. If it has two rows, the upper one scrolls away. */
function EditorBar({ mode, onMode, marks, onCommand, pictures }: EditorBarProps) {
  return (
    <div className="@container sticky top-0 z-1 rounded-t-lg border-b border-line bg-raised sm:top-2 lg:top-16">
      <div className="flex flex-col-reverse lg:flex-row lg:items-center">
        <MarkdownToolbar disabled={mode === "preview"} pressed={mode === "edit" ? marks : []} onCommand={onCommand} />
        <div className="flex h-14 items-center px-2">
          <Segmented
            label="View"
            value={mode}
            onChange={onMode}
            className="max-lg:flex-1 max-lg:[&>button]:flex-1"
            segments={[
              { value: "edit", label: "Edit", icon: Pencil },
              { value: "preview", label: "Preview", icon: Eye },
            ]}
          />
        </div>
      </div>
      <TextPictures pictures={pictures} />
    </div>
  );
}

type Parts = {
  sheet: React.RefObject<HTMLDivElement | null>;
  area: React.RefObject<HTMLTextAreaElement | null>;
  text: React.RefObject<() => string>;
  change: (read: () => string) => void;
  command: (command: Command) => void;
};

/** Replaces the text area when it is loaded, with the same text, cursor and focus. */
function useCodeEditor({ sheet, area, text, change, command }: Parts) {
  const [editor, setEditor] = useState<CodeEditor>();
  const [marks, setMarks] = useState<readonly string[]>([]);
  const { pictures, takePictures, choose } = usePictures(editor);
  const onChange = useEffectEvent(change);
  const onData = useEffectEvent(takePictures);
  const onCommand = useEffectEvent(command);
  useEffect(() => {
    let opened: CodeEditor | undefined;
    let left = false;
    // Typed before hydration.
    const typed = area.current?.value;
    const kept = withoutStalePlaceholders(typed ?? text.current());
    if (kept !== text.current()) onChange(() => kept);
    if (area.current && kept !== typed) area.current.value = kept;
    const open = async () => {
      const { openCodeEditor } = await import("./code-editor.ts");
      if (left || !sheet.current) return;
      const focused = document.activeElement === area.current;
      opened = openCodeEditor({
        parent: sheet.current,
        text: text.current(),
        cursor: area.current?.selectionStart ?? 0,
        labelId: "content-label",
        errorId: "content-error",
        nonce: readNonce(),
        onChange: (changed) => onChange(changed),
        onData: (data) => onData(data),
        onCommand: (command) => onCommand(command),
        onMarks: setMarks,
      });
      // Synchronous, or a key pressed in between would be lost.
      flushSync(() => setEditor(opened));
      if (focused) opened.focus();
    };
    // If it can't be loaded, the text area stays.
    open().catch(() => {});
    return () => {
      left = true;
      opened?.destroy();
      setEditor(undefined);
    };
  }, [sheet, area, text]);
  return { editor, marks, pictures, choose };
}

function selectionOf({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Selection {
  return { text: value, from: selectionStart, to: selectionEnd };
}

/** Edits the text as typing does, so that it can be undone. */
function applyEdit(area: HTMLTextAreaElement, edit: (selection: Selection) => Edit) {
  const { from, to, insert, selectFrom, selectTo } = edit(selectionOf(area));
  area.focus();
  area.setSelectionRange(from, to);
  if (!document.execCommand("insertText", false, insert)) {
    area.setRangeText(insert);
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }
  area.setSelectionRange(selectFrom, selectTo);
}

const typingPauseMs = 700;

/** Counted after a pause, so that long texts don't slow typing. */
function WordCount({ initial, text }: { initial: string; text: React.RefObject<() => string> }) {
  const [settled, setSettled] = useState(initial);
  const [count] = useState(wordCounter);
  useEffect(() => {
    let seen: (() => string) | undefined;
    const timer = setInterval(() => {
      if (text.current === seen) return;
      seen = text.current;
      setSettled(seen());
    }, typingPauseMs);
    return () => clearInterval(timer);
  }, [text]);
  const words = count(settled);
  return (
    <div className="num flex h-10 items-center justify-between border-t border-line px-4 text-sm text-ink-2">
      <span>
        {fullCount(words)} {words === 1 ? "word" : "words"}
      </span>
      <span>{readMinutes(words)} min read</span>
    </div>
  );
}

/** Caches the count of each line, as mostly one has changed. */
function wordCounter(): (text: string) => number {
  let known = new Map<string, number>();
  return (text) => {
    const lines = text.split("\n");
    const next = new Map<string, number>();
    let words = 0;
    for (const line of lines) {
      const count = known.get(line) ?? countWords(stripMarkdown(line));
      next.set(line, count);
      words += count;
    }
    known = next;
    return words;
  };
}
