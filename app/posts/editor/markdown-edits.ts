/** Offsets in characters. */
export type Selection = { text: string; from: number; to: number };

export type Edit = { from: number; to: number; insert: string; selectFrom: number; selectTo: number };

type Range = { from: number; to: number };

/** Marks around words, and how to find them in a paragraph. */
const inline = {
  bold: { mark: "**", end: "**", pattern: /()\*\*(?=\S)((?:[^*]|\*(?!\*))+?\*?)\*\*()/g },
  italic: { mark: "*", end: "*", pattern: /(?<!\*)((?:\*\*)?)\*(?=[^\s*])((?:[^*]|\*\*)+?)(?<=[^\s*])\*((?:\*\*)?)(?!\*)/g },
  underline: { mark: "<u>", end: "</u>", pattern: /()<u>(.*?)<\/u>()/gs },
  strikethrough: { mark: "~~", end: "~~", pattern: /()~~(?=\S)(.+?)~~()/gs },
} as const;

export type InlineMark = keyof typeof inline;

/** Adds or removes marks around the selection, line by line. Spaces at its ends stay outside. */
export function wrap(selection: Selection, name: InlineMark): Edit {
  const { text, from, to } = selection;
  const { mark, end } = inline[name];
  const around = enclosing(selection, name);
  if (around) return unwrap(selection, around, name);
  const selected = text.slice(from, to);
  if (selected.includes("\n")) return wrapLines(selection, name);
  const before = selected.length - selected.trimStart().length;
  const inner = selected.trim();
  const insert = selected.slice(0, before) + mark + inner + end + selected.slice(before + inner.length);
  const start = from + (inner ? before : 0) + mark.length;
  return { from, to, insert: inner || !selected ? insert : mark + selected + end, selectFrom: start, selectTo: start + inner.length };
}

function unwrap({ text, from, to }: Selection, around: Range, name: InlineMark): Edit {
  const { mark, end } = inline[name];
  const insert = text.slice(around.from + mark.length, around.to - end.length);
  const within = (offset: number) => Math.min(Math.max(offset - mark.length, around.from), around.from + insert.length);
  return { ...around, insert, selectFrom: within(from), selectTo: within(to) };
}

const blockMarks = /^(?:> ?)*\s*(?:(?:[-*+]|\d{1,9}[.)])(?: \[[ xX]\])? |#{1,6} )?/;

function wrapLines(selection: Selection, name: InlineMark): Edit {
  const { mark, end } = inline[name];
  const { start, stop, lines } = linesOf(selection);
  const parts = markedLines(lines, name);
  const remove = areMarked(lines, name);
  const changed = parts.map(({ before, words, isMarked }) => {
    if (words === "") return before + words;
    if (remove) return before + words.slice(mark.length, -end.length);
    return before + (isMarked ? words : mark + words + end);
  });
  const insert = changed.join("\n");
  return { from: start, to: stop, insert, selectFrom: start, selectTo: start + insert.length };
}

function markedLines(lines: string[], name: InlineMark) {
  const { mark, end } = inline[name];
  return lines.map((line) => {
    const before = blockMarks.exec(line)?.[0] ?? "";
    const words = line.slice(before.length).trim();
    const isInside = words.length > mark.length + end.length && words.startsWith(mark) && words.endsWith(end);
    return { before, words, isMarked: isInside && isWhole(words, words.search(/[^*]|$/), words.search(/\**$/), mark) };
  });
}

function areMarked(lines: string[], name: InlineMark): boolean {
  const written = markedLines(lines, name).filter(({ words }) => words !== "");
  return written.length > 0 && written.every(({ isMarked }) => isMarked);
}

/** The range of the marks around the selection, including them. */
function enclosing({ text, from, to }: Selection, name: InlineMark): Range | undefined {
  const { pattern, mark, end } = inline[name];
  if (text.slice(from - mark.length, from) === mark && text.slice(to, to + end.length) === end && isWhole(text, from, to, mark))
    return { from: from - mark.length, to: to + end.length };
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const lineEnd = text.indexOf("\n", to);
  const line = text.slice(start, lineEnd === -1 ? text.length : lineEnd);
  for (const match of line.matchAll(pattern)) {
    const [whole, before = "", , after = ""] = match;
    const found = { from: start + match.index + before.length, to: start + match.index + whole.length - after.length };
    const isAround = from === to ? found.from < from && to < found.to : found.from <= from && to <= found.to;
    if (isAround) return found;
  }
  return undefined;
}

/** A single star must not match one of two. */
function isWhole(text: string, from: number, to: number, mark: string): boolean {
  if (mark !== "*") return true;
  const stars = (part: string | undefined) => part?.length ?? 0;
  const before = stars(/\**$/.exec(text.slice(0, from))?.[0]);
  const after = stars(/^\**/.exec(text.slice(to))?.[0]);
  return before % 2 === 1 && after % 2 === 1;
}

function linesOf({ text, from, to }: Selection): { start: number; stop: number; lines: string[] } {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const nextBreak = text.indexOf("\n", to);
  const stop = nextBreak === -1 ? text.length : nextBreak;
  return { start, stop, lines: text.slice(start, stop).split("\n") };
}

/** Keeps the same words selected. */
function changeLines(selection: Selection, change: (lines: string[]) => string[]): Edit {
  const { start, stop, lines } = linesOf(selection);
  const changed = change(lines);
  const place = (offset: number, isStart: boolean) => {
    let [before, after] = [start, start];
    for (const [index, line] of lines.entries()) {
      const now = changed[index] ?? "";
      const column = offset - before;
      if (column <= line.length) return isStart && column === 0 ? after : after + Math.max(0, now.length - line.length + column);
      before += line.length + 1;
      after += now.length + 1;
    }
    return after - 1;
  };
  const { from, to } = selection;
  const selectTo = place(to, false);
  const selectFrom = from === to ? selectTo : Math.min(place(from, true), selectTo);
  return { from: start, to: stop, insert: changed.join("\n"), selectFrom, selectTo };
}

export type ListKind = "bullet" | "numbered";

const listItem = /^((?:> ?)*\s*)(?:([-*+]|\d{1,9}[.)])(?: \[[ xX]\])? )?(.*)$/;
const kinds = { bullet: /^[-*+]$/, numbered: /^\d/ };

/** Makes the selected lines a list of this kind, or no list if they are one already. */
export function list(selection: Selection, kind: ListKind): Edit {
  return changeLines(selection, (lines) => {
    const remove = isList(lines, kind);
    let number = 0;
    return lines.map((line) => {
      const [, before = "", , words = ""] = listItem.exec(line) ?? [];
      if (line.trim() === "" && lines.length > 1) return line;
      if (remove) return before + words;
      number++;
      return `${before}${kind === "bullet" ? "-" : `${number}.`} ${words}`;
    });
  });
}

function isList(lines: string[], kind: ListKind): boolean {
  const written = lines.filter((line) => line.trim() !== "");
  return written.length > 0 && written.every((line) => kinds[kind].test(listItem.exec(line)?.[2] ?? ""));
}

export function quote(selection: Selection): Edit {
  return changeLines(selection, (lines) => {
    const remove = lines.every((line) => line.startsWith(">"));
    return lines.map((line) => (remove ? line.replace(/^> ?/, "") : `> ${line}`));
  });
}

export function heading(selection: Selection, level: 1 | 2 | 3): Edit {
  const mark = `${"#".repeat(level)} `;
  return changeLines(selection, (lines) => {
    const remove = lines.every((line) => line.startsWith(mark) || line.trim() === "");
    return lines.map((line) => {
      const plain = line.replace(/^#{1,6} /, "");
      return remove || (line.trim() === "" && lines.length > 1) ? plain : mark + plain;
    });
  });
}

export function codeBlock({ text, from, to }: Selection): Edit {
  const before = from === 0 || text[from - 1] === "\n" ? "" : "\n";
  const after = to === text.length || text[to] === "\n" ? "" : "\n";
  const opening = `${before}\`\`\`\n`;
  const insert = `${opening}${text.slice(from, to)}\n\`\`\`${after}`;
  return { from, to, insert, selectFrom: from + opening.length, selectTo: from + opening.length + (to - from) };
}

/** Inserts a paragraph after the selection; the cursor is in the next one. */
export function paragraph({ text, to: at }: Selection, insert: string): Edit {
  const before = text.slice(0, at).trimEnd();
  const after = text.slice(at).replace(/^[ \t]*\n*/, "");
  const spaceBefore = before === "" ? "" : "\n\n";
  const from = before.length;
  const to = text.length - after.length;
  const start = from + spaceBefore.length + insert.length + 2;
  return { from, to, insert: `${spaceBefore}${insert}\n\n`, selectFrom: start, selectTo: start };
}

export type Mark = InlineMark | ListKind | "heading1" | "heading2" | "heading3" | "quote" | "link";

/** The marks that apply to the selection; `text` may be the selected lines only. */
export function marksAt(selection: Selection, isLink: boolean): Mark[] {
  const { lines } = linesOf(selection);
  const level = /^(#{1,3}) /.exec(lines[0] ?? "")?.[1]?.length;
  const names = Object.keys(inline) as InlineMark[];
  return [
    ...names.filter((name) => enclosing(selection, name) ?? (lines.length > 1 && areMarked(lines, name))),
    ...(["bullet", "numbered"] as const).filter((kind) => isList(lines, kind)),
    ...(level ? [`heading${level}` as Mark] : []),
    ...(lines.every((line) => line.startsWith(">")) ? (["quote"] as const) : []),
    ...(isLink ? (["link"] as const) : []),
  ];
}

const item = /^(\s*)(?:([-*+])|(\d{1,9})([.)])|(>))( \[[ xX]\])? /;

export function nextLine(line: string, at: number): string | null {
  const match = item.exec(line);
  if (!match || at < match[0].length) return null;
  if (line.trim() === match[0].trim()) return "";
  const [, indent = "", bullet, number, after = "", quoted, task] = match;
  const mark = bullet ?? quoted ?? `${Number(number) + 1}${after}`;
  return `${indent}${mark}${task ? " [ ]" : ""} `;
}
