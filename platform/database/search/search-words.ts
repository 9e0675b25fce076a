import type { DatabaseTransaction } from "#platform/database/open.ts";

const maxWordLength = 64;
/** PostgreSQL limits a tsvector to 1 MB. */
const maxWords = 20_000;
const maxBytes = 500_000;

/** Letters without decomposition that people type differently. */
const spellings: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i", ς: "σ" };
const special = new RegExp(`[${Object.keys(spellings).join("")}]`, "g");
const accents = /[\u0300-\u036f]/g;

/**
 * Normalizes texts and queries alike: lower case, no accents, split at other characters. The engines only compare the result, because their
 * tokenizers differ.
 */
export function searchWords(text: string): string[] {
  return (
    plainLetters(text)
      .normalize("NFC")
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  ).map(truncateWord);
}

/** Decomposed, in lower case, without accents and letters that people type differently. */
export function plainLetters(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(accents, "")
    .replace(special, (letter) => spellings[letter] ?? letter);
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

/** The columns of `posts` that the index is made of (definitions/). */
export function searchColumns({ title, userName, plainText }: { title: string; userName: string; plainText: string }) {
  return { searchTitle: searchColumn(title), searchAuthor: searchColumn(userName), searchText: searchColumn(plainText) };
}

/** Adds the words of titles and names, to which misspelled searches are corrected (typos.ts). */
export async function addSearchWords(db: DatabaseTransaction, columns: string[]): Promise<void> {
  const words = new Set(columns.flatMap((column) => column.split(" ")).filter(isTypoCandidate));
  if (words.size === 0) return;
  // Sorted, so that concurrent inserts don't deadlock on PostgreSQL.
  const rows = [...words].sort().map((word) => ({ word, variants: storedVariants(word) }));
  await db
    .insertInto("search_words")
    .values(rows)
    .onConflict((conflict) => conflict.column("word").doNothing())
    .execute();
}

const minTypoLength = 4;
const minLengthForTwoTypos = 2 * minTypoLength;

export function isTypoCandidate(word: string): boolean {
  return [...word].length >= minTypoLength;
}

/** Typos that are corrected in a word of this many letters. */
export function allowedTypos(letters: number): number {
  return letters < minLengthForTwoTypos ? 1 : 2;
}

/** As many typos as allowed for a word that is two letters longer. */
export function storedVariants(word: string): string {
  return variants(word, allowedTypos([...word].length + 2)).join(" ");
}

const variedLetters = 7;

/** SymSpell's deletion neighborhood: words within `typos` edits share at least one variant, but so may others. */
export function variants(word: string, typos: number): string[] {
  let shortened = [[...word].slice(0, variedLetters).join("")];
  const all = new Set(shortened);
  for (let typo = 0; typo < typos; typo++) {
    shortened = shortened.flatMap((each) => [...each].map((_, left, letters) => letters.toSpliced(left, 1).join("")));
    for (const each of shortened) all.add(each);
  }
  return [...all];
}
