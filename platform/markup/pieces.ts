/** Characters. Smaller pieces cost more each than they save. */
const leastLength = 2_000;

/** What reaches across a text: definitions, footnotes, HTML; and lines that end in another way than ours. */
const reachesAcross = /\]:|\[\^|<[a-z!?/]|\r/i;
const fence = /`{3}|~{3}/;
const opening = /^(`{3,}[^`]*|~{3,}.*)$/s;
const startsAnew = /^(?:#{1,6} |\p{L})/u;

/**
 * Cuts Markdown where nothing before can matter for what follows: rendered one by one, with a line break between them, the
 * pieces are what the whole is. Between two pieces is a blank line, and the next begins, not indented, with a heading or a
 * letter, which ends every list, quotation and table. A text with something that reaches across is one piece.
 */
export function piecesOf(markdown: string, least = leastLength): string[] {
  if (reachesAcross.test(markdown)) return [markdown];
  const pieces: string[] = [];
  let piece: string[] = [];
  let length = 0;
  let fenced: string | undefined;
  let blank = false;
  for (const line of markdown.split("\n")) {
    if (!fenced && blank && length >= least && startsAnew.test(line)) {
      pieces.push(piece.join("\n"));
      [piece, length] = [[], 0];
    }
    if (fence.test(line)) {
      if (fenced === undefined) {
        // One within a list or a quotation, or none at all: not for us to tell.
        if (!opening.test(line)) return [markdown];
        [fenced] = /^(`+|~+)/.exec(line) ?? [];
      } else if (closes(line, fenced)) fenced = undefined;
    }
    piece.push(line);
    length += line.length + 1;
    blank = line === "";
  }
  return [...pieces, piece.join("\n")];
}

/** The same mark at least as often, indented by three at most, and nothing after it. */
function closes(line: string, fenced: string): boolean {
  const [, mark = ""] = /^ {0,3}(`+|~+)[ \t]*$/.exec(line) ?? [];
  return mark.startsWith(fenced);
}
