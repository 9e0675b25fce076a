import type { Edit, Selection } from "./markdown-edits.ts";

export type TextLink = { from: number; to: number; text: string; url: string };

const written = /(?<!!)\[([^\]\n]*)\]\((<[^>\n]*>|[^)\s]*)\)/g;

/** The link around the selection. */
export function linkAt({ text, from, to }: Selection): TextLink | undefined {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const nextBreak = text.indexOf("\n", to);
  for (const match of text.slice(start, nextBreak === -1 ? text.length : nextBreak).matchAll(written)) {
    const [whole, label = "", url = ""] = match;
    const at = start + match.index;
    if (at <= from && to <= at + whole.length) return { from: at, to: at + whole.length, text: label, url: withoutBrackets(url) };
  }
  return undefined;
}

function withoutBrackets(url: string): string {
  return url.replace(/^<(.*)>$/, "$1");
}

/** Replaces the selection, or the link around it. */
export function link(selection: Selection, { text, url }: Pick<TextLink, "text" | "url">): Edit {
  const { from, to } = linkAt(selection) ?? selection;
  const insert = `[${text.replaceAll("\n", " ") || url}](${url})`;
  const end = from + insert.length;
  return { from, to, insert, selectFrom: end, selectTo: end };
}

export function unlink(selection: Selection): Edit {
  const found = linkAt(selection) ?? { ...selection, text: selection.text.slice(selection.from, selection.to) };
  const { from, to, text } = found;
  return { from, to, insert: text, selectFrom: from, selectTo: from + text.length };
}

/** Normalizes a typed address for Markdown; undefined if it isn't valid. */
export function linkUrl(typed: string): string | undefined {
  const trimmed = typed.trim();
  if (/^(\/(?!\/)|#)\S*$/.test(trimmed) && trimmed !== "#") return escaped(trimmed);
  if (/^[^\s@/:]+@[^\s@/]+\.[^\s@/]+$/.test(trimmed)) return escaped(`mailto:${trimmed}`);
  if (/^mailto:[^\s@]+@[^\s@]+$/i.test(trimmed)) return escaped(trimmed);
  const whole = /^[a-z][a-z\d+.-]*:/i.test(trimmed) && !/^[^/:]+:\d/.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = URL.parse(whole);
  const isSite = url && /^https?:$/.test(url.protocol) && /^(localhost|[^.]+(\.[^.]+)+|\[.*\])$/.test(url.hostname);
  return isSite ? escaped(whole) : undefined;
}

function escaped(url: string): string {
  const codes: Record<string, string> = { " ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E" };
  return url.replaceAll(/[ ()<>]/g, (sign) => codes[sign] ?? sign);
}

/** Pasting an address over selected words links them. */
export function pastedLink(selection: Selection, pasted: string): Edit | undefined {
  const { text, from, to } = selection;
  const words = text.slice(from, to);
  const url = /^https?:\/\/\S+$/i.test(pasted.trim()) ? linkUrl(pasted) : undefined;
  if (!url || words.trim() === "" || /\n|^\s*https?:\/\/\S+\s*$/i.test(words) || linkAt(selection)) return undefined;
  return link(selection, { text: words, url });
}
