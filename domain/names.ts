/** Rules for members' names; browser-safe (specification §5). */
export const nameMinLength = 2;
export const nameMaxLength = 100;

export const nameTexts = {
  nameRequired: "Name is required",
  nameTooShort: `Name must be at least ${nameMinLength} characters`,
  nameTooLong: `Name cannot exceed ${nameMaxLength} characters`,
  nameNotPlain: "Your name can’t include links or email addresses",
  nameNotText: "Your name contains characters we can’t display",
};

/** Without blanks at either end. */
export function normalizeName(name: string): string {
  // The lookbehind keeps it linear: otherwise each blank of a long run would search the run to its end.
  return name.replace(/^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu, "");
}

export function checkName(given: string): string | undefined {
  const name = normalizeName(given);
  const length = [...name].length;
  if (length === 0) return nameTexts.nameRequired;
  if (unshowable.test(name)) return nameTexts.nameNotText;
  if (!isPlainName(name)) return nameTexts.nameNotPlain;
  if (length < nameMinLength) return nameTexts.nameTooShort;
  if (length > nameMaxLength) return nameTexts.nameTooLong;
  return undefined;
}

/** Control characters, lone surrogates and bidirectional controls. */
const unshowable = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

/** Names appear in emails, where a name like a link, also in Markdown, would be advertising. */
export function isPlainName(name: string): boolean {
  return !linkLike.test(name.normalize("NFKC"));
}

const linkLike =
  /@|:\/\/|https?:|\]\s*\(|!\[|www\.|[\p{L}\p{N}]\.\p{L}{2,}\/|[\p{L}\p{N}]\.(?:com|net|org|info|biz|io|xyz|top|shop|site|online|link|app|example)(?![\p{L}\p{N}])/iu;
