/** What a message's text is made of; `href` is where a piece of it leads, null for plain text. */
export type TextPiece = { text: string; href: string | null };

// Without the marks that turn writing around: an address reads as what it is.
const address = /(?:https?:\/\/|mailto:|www\.)[^\s<>"“”«»\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/giu;
const closing: Record<string, string> = { ")": "(", "]": "[", "}": "{" };
const ending = /[.,;:!?'’…、。，！？：；،؛؟۔*_~|]$/u;

/** Cuts a text into plain parts and addresses (http, https and mailto only); together the pieces are the text. */
export function findLinks(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(address)) {
    const before = text[match.index - 1];
    const link = withoutEnding(match[0]);
    const href = before && /[\p{L}\p{N}]/u.test(before) ? undefined : hrefOf(link);
    if (!href) continue;
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), href: null });
    pieces.push({ text: link, href });
    from = match.index + link.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), href: null });
  return pieces;
}

/** The sentence's own marks at the end, and a bracket that was opened before the address. */
function withoutEnding(found: string): string {
  let link = found;
  for (;;) {
    const last = link.at(-1) ?? "";
    const opening = closing[last];
    if (!ending.test(last) && !(opening && countLetter(link, last) > countLetter(link, opening))) return link;
    link = link.slice(0, -1);
  }
}

function countLetter(text: string, letter: string): number {
  return text.split(letter).length - 1;
}

function hrefOf(link: string): string | undefined {
  const url = URL.parse(/^www\./i.test(link) ? `https://${link}` : link);
  if (!url || !["http:", "https:", "mailto:"].includes(url.protocol)) return undefined;
  const leads =
    url.protocol === "mailto:" ? /^[^@\s]+@[^@\s]+\.[^@\s]+/.test(url.pathname) : /^\[|[^.]\.[^.]|^localhost$/.test(url.hostname);
  return leads ? url.href : undefined;
}
