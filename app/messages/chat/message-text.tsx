import { fold } from "#domain/fold.ts";

/** A message's text with its links, and a searched term highlighted. */
export function MessageText({ text, term = "" }: { text: string; term?: string }) {
  let at = 0;
  return (
    <span dir="auto" className="whitespace-pre-wrap wrap-anywhere">
      {findLinks(text).map((piece) => {
        const key = at;
        at += piece.text.length;
        const marked = <Marked key={key} text={piece.text} term={term} />;
        if (!piece.href) return marked;
        return (
          <a
            key={key}
            href={piece.href}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            dir="ltr"
            className="underline hover:no-underline"
          >
            {marked}
          </a>
        );
      })}
    </span>
  );
}

export function Marked({ text, term }: { text: string; term: string }) {
  const foldedTerm = fold(term);
  const folded = fold(text);
  // If folding changed the length, positions differ and nothing is marked.
  if (foldedTerm === "" || folded.length !== text.length) return text;
  const parts = [];
  let from = 0;
  for (let at = folded.indexOf(foldedTerm); at >= 0; at = folded.indexOf(foldedTerm, from)) {
    parts.push(
      text.slice(from, at),
      <mark key={at} className="rounded-[2px] bg-chat-tick px-0.5 text-[#17212d]">
        {text.slice(at, at + foldedTerm.length)}
      </mark>,
    );
    from = at + foldedTerm.length;
  }
  return [...parts, text.slice(from)];
}

/** `href` is null for plain text. */
type TextPiece = { text: string; href: string | null };

// Excludes marks that reverse the writing direction, which could disguise an address.
const address = /(?:https?:\/\/|mailto:|www\.)[^\s<>"“”«»\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/giu;
const closing: Record<string, string> = { ")": "(", "]": "[", "}": "{" };
const ending = /[.,;:!?'’…、。，！？：；،؛؟۔*_~|]$/u;

/** Splits a text into plain parts and http, https and mailto addresses; the pieces add up to the text. */
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

/** Cuts the sentence's punctuation and a bracket that opened before the address. */
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
  const hasTarget =
    url.protocol === "mailto:" ? /^[^@\s]+@[^@\s]+\.[^@\s]+/.test(url.pathname) : /^\[|[^.]\.[^.]|^localhost$/.test(url.hostname);
  return hasTarget ? url.href : undefined;
}
