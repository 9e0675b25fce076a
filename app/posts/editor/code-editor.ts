import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { EditorSelection, EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, keymap, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { GFM, parser } from "@lezer/markdown";
import { type Edit, marksAt, nextLine, type Selection } from "./markdown-edits.ts";
import { linkAt } from "./markdown-links.ts";
import { type Command, commandOfKey } from "./markdown-toolbar.tsx";

export type CodeEditor = {
  selection(): Selection;
  apply(edit: (selection: Selection) => Edit): void;
  replace(before: string | RegExp, after: string): void;
  insert(text: string): void;
  setInvalid(invalid: boolean): void;
  focus(): void;
  destroy(): void;
};

export type CodeEditorOptions = {
  parent: HTMLElement;
  text: string;
  cursor: number;
  labelId: string;
  errorId: string;
  nonce: string;
  onChange: (read: () => string) => void;
  onData: (data: DataTransfer) => boolean;
  onCommand: (command: Command) => void;
  /** Called when other marks apply to the selection. */
  onMarks: (marks: readonly string[]) => void;
};

const markdown = new Language(defineLanguageFacet(), parser.configure([GFM]), [], "markdown");

const highlighting = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "650" },
  { tag: tags.strong, fontWeight: "650" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: tags.monospace, fontFamily: "var(--font-mono)", fontSize: "0.86em" },
  { tag: tags.link, color: "var(--accent-ink)" },
  { tag: [tags.url, tags.processingInstruction, tags.contentSeparator, tags.labelName], color: "var(--ink-3)" },
  { tag: tags.quote, color: "var(--ink-2)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "1.125rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-reading)", lineHeight: "1.75", overflow: "auto" },
  ".cm-content": { padding: "2rem var(--sheet-end) 2rem var(--sheet-start)", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 28%, transparent)",
  },
  ".cm-placeholder": { color: "var(--ink-3)" },
});

const extensions = [
  history(),
  drawSelection(),
  EditorView.lineWrapping,
  EditorView.perLineTextDirection.of(true),
  keymap.of([{ key: "Enter", run: continueList }, ...historyKeymap, ...defaultKeymap]),
  placeholder("Write your story…"),
  markdown.extension,
  syntaxHighlighting(highlighting),
  theme,
];

export function openCodeEditor(options: CodeEditorOptions): CodeEditor {
  const { parent, text, cursor, labelId, errorId, nonce, onChange, onData, onCommand, onMarks } = options;
  let isInvalid = false;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      selection: { anchor: Math.min(cursor, text.length) },
      extensions: [
        ...extensions,
        EditorView.cspNonce.of(nonce),
        EditorView.contentAttributes.of(() => ({
          ...(isInvalid && { "aria-invalid": "true" }),
          "aria-labelledby": labelId,
          "aria-describedby": errorId,
          spellcheck: "true",
          autocorrect: "on",
          autocapitalize: "sentences",
          dir: "auto",
          // Not needed for focus; accessibility checkers look for the attribute.
          tabindex: "0",
        })),
        EditorView.updateListener.of((update) => update.docChanged && onChange(() => update.state.doc.toString())),
        watchMarks(onMarks),
        // Before the keymap, which uses some of the same keys.
        Prec.highest(EditorView.domEventHandlers({ keydown: shortcut })),
        EditorView.domEventHandlers({
          paste: (event) => handleData(event, event.clipboardData),
          // Dragged Markdown moves as it is: the browser's rich version of it would be converted.
          dragstart: (event) => event.dataTransfer?.clearData("text/html"),
          drop: (event) => {
            view.dispatch({ selection: { anchor: view.posAtCoords({ x: event.clientX, y: event.clientY }, false) } });
            return handleData(event, event.dataTransfer);
          },
        }),
      ],
    }),
  });

  function handleData(event: Event, data: DataTransfer | null): boolean {
    if (!data || !onData(data)) return false;
    event.preventDefault();
    return true;
  }

  function shortcut(event: KeyboardEvent): boolean {
    const command = commandOfKey(event);
    if (!command) return false;
    event.preventDefault();
    onCommand(command);
    return true;
  }

  return {
    selection: () => selectionOf(view),
    apply: (edit) => applyTo(view, edit),
    replace(before, after) {
      const whole = view.state.doc.toString();
      const found = typeof before === "string" ? before : (before.exec(whole)?.[0] ?? "");
      const from = whole.indexOf(found);
      if (found && from >= 0) view.dispatch({ changes: { from, to: from + found.length, insert: after } });
    },
    insert(inserted) {
      view.dispatch(view.state.replaceSelection(inserted), { scrollIntoView: true, userEvent: "input.paste" });
    },
    setInvalid(invalid) {
      isInvalid = invalid;
      // An update reads the attributes again.
      view.dispatch({});
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

function applyTo(view: EditorView, edit: (selection: Selection) => Edit): void {
  const { insert, selectFrom, selectTo, ...place } = edit(selectionOf(view));
  view.dispatch({ changes: { ...place, insert }, selection: EditorSelection.single(selectFrom, selectTo), scrollIntoView: true });
  view.focus();
}

function selectionOf({ state }: EditorView): Selection {
  const { from, to } = state.selection.main;
  return { text: state.doc.toString(), from, to };
}

/** Longer selections don't update the toolbar's pressed buttons. */
const maxMarkedLength = 5_000;

function watchMarks(onMarks: (marks: readonly string[]) => void) {
  let lastMarks = "";
  return EditorView.updateListener.of(({ state, docChanged, selectionSet }) => {
    if (!docChanged && !selectionSet) return;
    const { from, to } = state.selection.main;
    const start = state.doc.lineAt(from).from;
    const end = state.doc.lineAt(to).to;
    if (end - start > maxMarkedLength) return;
    const lines = { text: state.sliceDoc(start, end), from: from - start, to: to - start };
    const inCode = isInCode(state, from);
    const marks = inCode ? ["code"] : marksAt(lines, linkAt(lines) !== undefined);
    if (marks.join() === lastMarks) return;
    lastMarks = marks.join();
    onMarks(marks);
  });
}

function isInCode(state: EditorState, at: number): boolean {
  for (let node: ReturnType<typeof syntaxTree>["topNode"] | null = syntaxTree(state).resolveInner(at, -1); node; node = node.parent)
    if (node.name === "FencedCode") return true;
  return false;
}

function continueList(view: EditorView): boolean {
  const { main } = view.state.selection;
  if (!main.empty) return false;
  const line = view.state.doc.lineAt(main.head);
  const next = nextLine(line.text, main.head - line.from);
  if (next === null) return false;
  if (next === "") view.dispatch({ changes: { from: line.from, to: line.to, insert: "" }, userEvent: "input" });
  else view.dispatch(view.state.replaceSelection(`\n${next}`), { scrollIntoView: true, userEvent: "input" });
  return true;
}
