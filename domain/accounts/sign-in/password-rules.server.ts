import { createRequire } from "node:module";
import { accountTexts, passwordMinLength } from "#domain/accounts/account.ts";
import { Invalid } from "#domain/refusals.ts";
import type { Site } from "#domain/site.ts";

let commonest: ReadonlySet<string> | undefined;

function commonPasswords(): ReadonlySet<string> {
  if (commonest) return commonest;
  const all = createRequire(import.meta.url)("@zxcvbn-ts/language-common/src/passwords.json") as string[];
  commonest = new Set(all.filter((each) => each.length >= passwordMinLength).map((each) => each.toLowerCase()));
  return commonest;
}

type Owner = { name: string; email: string };

/** Rejects common passwords and ones derived from the name, the address or the site's name. @throws Invalid for `password`. */
export function requireGoodPassword(site: Pick<Site, "url" | "settings">, owner: Owner, password: string): void {
  if (commonPasswords().has(password.toLowerCase()) || isOneCharacter(password)) throw new Invalid(accountTexts.passwordCommon, "password");
  if (isPersonal(site, owner, password)) throw new Invalid(accountTexts.passwordPersonal, "password");
}

function isOneCharacter(password: string): boolean {
  return new Set(password.toLowerCase()).size === 1;
}

function isPersonal({ url, settings }: Pick<Site, "url" | "settings">, { name, email }: Owner, password: string): boolean {
  const [local = "", host = ""] = email.split("@");
  const words = name.split(/\s+/);
  const names = [name, [...words].reverse().join(""), ...words, email, local, local.split("+", 1)[0] ?? "", host];
  const forbidden = new Set([...names, settings.siteName, new URL(url).hostname].flatMap(formsOf).filter((form) => form.length >= 3));
  return formsOf(password).some((form) => forbidden.has(form) || forbidden.has(withoutRepetition(form)));
}

/** Variants to compare: letters and digits only; without outer digits (`maren2026`); with digits read as letters (`m4r3n`). */
function formsOf(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
  const bare = plain.replace(/^\p{N}+|\p{N}+$/gu, "");
  return [plain, bare, asLetters(plain), asLetters(bare)];
}

const letters: Record<string, string> = { "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t" };

function asLetters(text: string): string {
  return text.replace(/[013457]/g, (digit) => letters[digit] ?? digit);
}

function withoutRepetition(text: string): string {
  const half = text.slice(0, text.length / 2);
  return half + half === text ? half : text;
}
