import { kilobyte } from "#platform/bytes.ts";
import { days, hours, minutes, seconds } from "#platform/time.ts";

/** Texts that the specification computes (§9; docs/decisions/0033-specification-gaps.md); browser-safe. */

export function readMinutes(words: number): number {
  return Math.max(1, Math.ceil(words / 200));
}

export const excerptLengths = { grid: 120, list: 200, own: 150, other: 150 } as const;

/** At most `length` characters and three dots, cut at a word boundary if possible. */
export function excerpt(text: string, length: number = excerptLengths.other): string {
  const plain = text.replace(/\s+/g, " ").trim();
  const characters = Array.from(plain.slice(0, 2 * length + 2));
  if (characters.length <= length) return plain;
  const cut = characters.slice(0, length).join("");
  const space = characters[length] === " " ? cut.length : cut.lastIndexOf(" ");
  return `${cut.slice(0, space > 0 ? space : cut.length).replace(/[\s.,;:\u2026\u2013\u2014-]+$/, "")}...`;
}

/** As much text as `excerpt` needs for the same result: two more characters tell it to add dots. */
export function cutForExcerpt(text: string, length: number): string {
  const plain = text.replace(/\s+/g, " ").trim();
  return Array.from(plain.slice(0, 2 * length + 4))
    .slice(0, length + 2)
    .join("");
}

export const cardFallbacks = {
  excerpt: "No preview available...",
  unavailable: "Preview unavailable...",
  author: "Anonymous Author",
  time: "Recently",
};

const units = [
  { name: "year", from: days(365), length: days(365) },
  { name: "month", from: days(28), length: days(30), most: 11 },
  { name: "week", from: days(7), length: days(7) },
  { name: "day", from: days(1), length: days(1) },
  { name: "hour", from: hours(1), length: hours(1) },
  { name: "minute", from: minutes(1), length: minutes(1) },
  { name: "second", from: seconds(30), length: seconds(1) },
];

/**
 * The largest unit that fits, rounded down: `Just now`, `1 hour ago`. Future times count as now. Days 360 to 364 stay at 11 months: 12
 * isn't allowed.
 */
export function relativeTime(then: number, now: number): string {
  const age = now - then;
  if (Number.isNaN(age)) return cardFallbacks.time;
  const unit = units.find(({ from }) => age >= from);
  if (!unit) return "Just now";
  const count = Math.min(unit.most ?? Number.POSITIVE_INFINITY, Math.max(1, Math.floor(age / unit.length)));
  return `${count} ${unit.name}${count === 1 ? "" : "s"} ago`;
}

const integers = new Intl.NumberFormat("en-US");

export function fullCount(count: number): string {
  return integers.format(count);
}

export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 1_000_000) return `${Math.min(999.9, Math.round(count / 100) / 10).toFixed(1)}K`;
  return `${(Math.round(count / 100_000) / 10).toFixed(1)}M`;
}

const sizeUnits = ["KB", "MB", "GB", "TB"];

/** `2.4 MB`, `312 KB`; at least 1 KB unless it is 0. */
export function sizeText(bytes: number): string {
  let value = bytes / kilobyte;
  let unit = 0;
  while (value >= kilobyte && unit < sizeUnits.length - 1) {
    value /= kilobyte;
    unit++;
  }
  return unit === 0 ? `${Math.max(bytes > 0 ? 1 : 0, Math.round(value))} KB` : `${value.toFixed(1)} ${sizeUnits[unit]}`;
}

export function unreadBadge(count: number): string {
  return count > 99 ? "99+" : String(count);
}

export function initials(name: string): string {
  const letters = name
    .split(/\s+/)
    .map((word) => word.match(/[\p{L}\p{N}]/u)?.[0])
    .filter((letter) => letter !== undefined);
  return letters.slice(0, 2).map(initial).join("") || "A";
}

/** One letter, though ß becomes SS. */
function initial(letter: string): string {
  return Array.from(letter.toUpperCase())[0] ?? letter;
}

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** `1 story`, `1.2K stories`; with `fullCount` `1,234 stories`. */
export function pluralize(count: number, one: string, many = `${one}s`, format = shortCount): string {
  return `${format(count)} ${count === 1 ? one : many}`;
}

export function greeting(hour: number): string {
  if (hour < 12) return "Good morning";
  return hour < 18 ? "Good afternoon" : "Good evening";
}
