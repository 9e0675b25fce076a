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
  if (term === "") return text;
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
const linkPattern = /(?:https?:\/\/|mailto:|www\.)[^\s<>"“”«»\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/giu;
const brackets = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
] as const;
const ending = /[.,;:!?'’…、。，！？：；،؛؟۔*_~|]$/u;

/** Splits a text into plain parts and http, https and mailto addresses; the pieces add up to the text. */
export function findLinks(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(linkPattern)) {
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
  // Counted once: a link that ends in thousands of brackets would take quadratic time.
  const unopened = new Map<string, number>(brackets.map(([open, close]) => [close, countLetter(found, close) - countLetter(found, open)]));
  let end = found.length;
  for (; end > 0; end--) {
    const last = found.charAt(end - 1);
    const left = unopened.get(last);
    if (left === undefined ? !ending.test(last) : left <= 0) break;
    if (left) unopened.set(last, left - 1);
  }
  return found.slice(0, end);
}

function countLetter(text: string, letter: string): number {
  return text.split(letter).length - 1;
}

/** Longer than a domain name can be (RFC 1035 §2.3.4). Parsing one takes quadratic time. */
const longHost = /^(?:https?:)?[/\\]*[^/\\?#]{254}/i;

function hrefOf(link: string): string | undefined {
  if (longHost.test(link)) return undefined;
  const url = URL.parse(/^www\./i.test(link) ? `https://${link}` : link);
  if (!url || !["http:", "https:", "mailto:"].includes(url.protocol)) return undefined;
  const hasTarget =
    url.protocol === "mailto:" ? /^[^@\s]+@[^@\s]+\.[^@\s]+/.test(url.pathname) : /^\[|[^.]\.[^.]|^localhost$/.test(url.hostname);
  return hasTarget ? url.href : undefined;
}
