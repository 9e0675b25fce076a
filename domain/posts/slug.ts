import { slugMaxLength, titleMaxLength } from "./post.ts";

/** Turns letters of any script into ASCII. The library is loaded only for titles that need it. */
export type Transliterate = (text: string) => string;

export async function loadTransliterate(): Promise<Transliterate> {
  const { transliterate } = await import("transliteration");
  return (text) => transliterate(text);
}

export function needsTransliteration(text: string): boolean {
  return /[^\p{ASCII}]/u.test(text);
}

/**
 * The slug of a title (specification §5): trimmed, lower case, everything but letters and digits becomes one hyphen, at
 * most 35 characters, no hyphen at either end. Empty when nothing is left.
 */
export function toSlug(title: string, transliterate: Transliterate = (text) => text): string {
  return withHyphens(title, transliterate).slice(0, slugMaxLength).replace(/-+$/, "");
}

export function isTruncated(title: string, transliterate?: Transliterate): boolean {
  return withHyphens(title, transliterate).length > slugMaxLength;
}

function withHyphens(title: string, transliterate: Transliterate = (text) => text): string {
  return transliterate(title.normalize("NFC").trim())
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}

export function randomSlug(start = "story"): string {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789";
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return `${start}-${Array.from(bytes, (byte) => letters[byte % letters.length]).join("")}`;
}

/** The slug of a title as it was typed. Cuts a title that is too long first. */
export async function slugOf(given: string): Promise<string> {
  const title = given.slice(0, titleMaxLength);
  const transliterate = needsTransliteration(title) ? await loadTransliterate() : undefined;
  return toSlug(title, transliterate) || randomSlug();
}

export function alternativeSlugs(slug: string): string[] {
  const cut = (endingLength: number) => slug.slice(0, slugMaxLength - endingLength).replace(/-+$/, "");
  return [...Array.from({ length: 8 }, (_, index) => `${cut(2)}-${index + 2}`), randomSlug(cut(7))];
}
