export type Piece = { text: string; hit: boolean };

/** Decides for a word as it is in the text. */
export type WordMatcher = (word: string) => boolean;

const words = /[\p{L}\p{N}\p{M}]+/gu;

export function highlight(text: string, isHit: WordMatcher): Piece[] {
  const pieces: Piece[] = [];
  const add = (part: string, hit: boolean) => {
    const last = pieces.at(-1);
    if (part === "") return;
    if (last?.hit === hit) last.text += part;
    else pieces.push({ text: part, hit });
  };
  let end = 0;
  for (const { 0: word, index } of text.matchAll(words)) {
    add(text.slice(end, index), false);
    add(word, isHit(word));
    end = index + word.length;
  }
  add(text.slice(end), false);
  return pieces;
}

export function snippet(text: string, isHit: WordMatcher, length: number): string {
  const flat = text.replace(/\s+/g, " ").trim();
  const first = [...flat.matchAll(words)].find(({ 0: word }) => isHit(word))?.index ?? 0;
  if (first + length / 2 < length) return cutAfterWord(flat, length);
  const start = flat.indexOf(" ", Math.max(0, first - Math.floor(length / 3)));
  const from = start < 0 || start > first ? first : start + 1;
  return `...${cutAfterWord(flat.slice(from), length)}`;
}

function cutAfterWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const space = text.lastIndexOf(" ", length);
  return `${text.slice(0, space > 0 ? space : length).toWellFormed()}...`;
}
