const maxWordLength = 64;
/** PostgreSQL limits a tsvector to 1 MB. */
const maxWords = 20_000;
const maxBytes = 500_000;

/** Letters without decomposition that people type differently. */
const spelled: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i", ς: "σ" };
const special = new RegExp(`[${Object.keys(spelled).join("")}]`, "g");
const accents = /[\u0300-\u036f]/g;

/**
 * Normalises texts and queries alike: lower case, no accents, split at other characters. The engines only compare the result, because their
 * tokenizers differ.
 */
export function searchWords(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(accents, "")
    .replace(special, (letter) => spelled[letter] ?? letter);
  return (plain.normalize("NFC").match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map(truncateWord);
}

function truncateWord(word: string): string {
  return word.length <= maxWordLength ? word : [...word].slice(0, maxWordLength).join("");
}

export function searchColumn(text: string): string {
  const words = [...new Set(searchWords(text))].slice(0, maxWords);
  let bytes = 0;
  const end = words.findIndex((word) => {
    bytes += Buffer.byteLength(word) + 1;
    return bytes > maxBytes;
  });
  return (end < 0 ? words : words.slice(0, end)).join(" ");
}

const variedLetters = 7;

/** SymSpell's deletion neighbourhood: words within `typos` edits share at least one variant, but so may others. */
export function variants(word: string, typos: number): string[] {
  let shortened = [[...word].slice(0, variedLetters).join("")];
  const all = new Set(shortened);
  for (let typo = 0; typo < typos; typo++) {
    shortened = shortened.flatMap((each) => [...each].map((_, left, letters) => letters.toSpliced(left, 1).join("")));
    for (const each of shortened) all.add(each);
  }
  return [...all];
}

export function distance(one: string, other: string, limit: number): number {
  const [a, b] = [[...one], [...other]];
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = b.map((_, j) => j).concat(b.length);
  for (const [i, letter] of a.entries()) {
    const row = [i + 1];
    for (const [j, otherLetter] of b.entries()) {
      const same = letter === otherLetter ? 0 : 1;
      let best = Math.min((row[j] ?? 0) + 1, (last[j + 1] ?? 0) + 1, (last[j] ?? 0) + same);
      if (i > 0 && j > 0 && letter === b[j - 1] && a[i - 1] === otherLetter) best = Math.min(best, (beforeLast[j - 1] ?? 0) + 1);
      row.push(best);
    }
    [beforeLast, last] = [last, row];
  }
  return Math.min(last[b.length] ?? 0, limit + 1);
}
