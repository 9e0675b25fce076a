/** A text and what is selected in it, in characters. */
export type Selection = { text: string; from: number; to: number };

export type Edit = { from: number; to: number; insert: string; selectFrom: number; selectTo: number };

export function wrap({ text, from, to }: Selection, mark: string, endMark = mark): Edit {
  const selected = text.slice(from, to);
  const inside = text.slice(from - mark.length, from) === mark && text.slice(to, to + endMark.length) === endMark;
  if (inside) {
    const start = from - mark.length;
    return { from: start, to: to + endMark.length, insert: selected, selectFrom: start, selectTo: start + selected.length };
  }
  const start = from + mark.length;
  return { from, to, insert: mark + selected + endMark, selectFrom: start, selectTo: start + selected.length };
}

/** Begins every selected line with a prefix, or takes it away when all have it. `prefix` is told the line's number from 1. */
export function prefixLines({ text, from, to }: Selection, prefix: (line: number) => string, known: RegExp): Edit {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const nextBreak = text.indexOf("\n", to);
  const end = nextBreak === -1 ? text.length : nextBreak;
  const lines = text.slice(start, end).split("\n");
  const remove = lines.every((line) => known.test(line));
  const insert = lines.map((line, index) => (remove ? line.replace(known, "") : prefix(index + 1) + line)).join("\n");
  return { from: start, to: end, insert, selectFrom: start + insert.length, selectTo: start + insert.length };
}

export function heading(selection: Selection, level: 1 | 2 | 3): Edit {
  const mark = `${"#".repeat(level)} `;
  const plain = (line: string) => line.replace(/^#{1,6} /, "");
  const start = selection.text.lastIndexOf("\n", selection.from - 1) + 1;
  const nextBreak = selection.text.indexOf("\n", selection.to);
  const end = nextBreak === -1 ? selection.text.length : nextBreak;
  const line = selection.text.slice(start, end);
  const insert = line.startsWith(mark) ? plain(line) : mark + plain(line);
  return { from: start, to: end, insert, selectFrom: start + insert.length, selectTo: start + insert.length };
}

export function codeBlock({ text, from, to }: Selection): Edit {
  const before = from === 0 || text[from - 1] === "\n" ? "" : "\n";
  const after = to === text.length || text[to] === "\n" ? "" : "\n";
  const opening = `${before}\`\`\`\n`;
  const insert = `${opening}${text.slice(from, to)}\n\`\`\`${after}`;
  return { from, to, insert, selectFrom: from + opening.length, selectTo: from + opening.length + (to - from) };
}

const address = "https://";

export function link({ text, from, to }: Selection): Edit {
  const label = text.slice(from, to) || "text";
  const start = from + label.length + 3;
  return { from, to, insert: `[${label}](${address})`, selectFrom: start, selectTo: start + address.length };
}

const item = /^(\s*)(?:([-*+])|(\d{1,9})([.)])|(>))( \[[ xX]\])? /;

export function nextLine(line: string, at: number): string | null {
  const match = item.exec(line);
  if (!match || at < match[0].length) return null;
  if (line.trim() === match[0].trim()) return "";
  const [, indent = "", bullet, number, after = "", quote, task] = match;
  const mark = bullet ?? quote ?? `${Number(number) + 1}${after}`;
  return `${indent}${mark}${task ? " [ ]" : ""} `;
}
