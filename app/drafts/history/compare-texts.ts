import { diffArrays, diffWordsWithSpace } from "diff";
import { contentMaxLength } from "#domain/posts/post.ts";

export type Part = { text: string; only: "before" | "after" | null };

/** Lines of both texts, or a difference, numbered from 0. */
export type Passage = { difference: number | null; parts: Part[] };

/** Beyond this number the texts have little in common, and comparing further only takes time. */
const maxDifferences = { lines: 1_000, words: 1_000 };
/**
 * Comparisons of two lines or words for a whole text. They take about 0.3 s of the server's only thread; without a limit, two texts of the
 * greatest length take half a minute. Passages beyond it count as rewritten.
 */
const maxComparisons = 2_000_000;
/** Below this share of common characters a passage counts as rewritten: common commas and articles mean nothing. */
const leastCommon = 0.3;

/** Compares by lines, and by words where lines differ. A text that is too long for a story counts as rewritten. */
export function compareTexts(before: string, after: string): Passage[] {
  if (before === after) return [{ difference: null, parts: [{ text: before, only: null }] }];
  if (Math.max(before.length, after.length) > contentMaxLength) return [{ difference: 0, parts: rewritten(before, after) }];
  const [a, b] = [before.split("\n"), after.split("\n")];
  const budget = new Budget();
  const changes = diffArrays(a, b, budget.limit(maxDifferences.lines)) ?? [
    { removed: true, added: false, value: a },
    { removed: false, added: true, value: b },
  ];
  const passages: Passage[] = [];
  let [removed, added]: [string[], string[]] = [[], []];
  let difference = 0;
  const end = () => {
    if (removed.length + added.length > 0) passages.push({ difference: difference++, parts: compareWords(removed, added, budget) });
    [removed, added] = [[], []];
  };
  for (const change of changes) {
    if (change.removed) removed = removed.concat(change.value);
    else if (change.added) added = added.concat(change.value);
    else {
      end();
      passages.push({ difference: null, parts: [{ text: change.value.join("\n"), only: null }] });
    }
  }
  end();
  return passages;
}

class Budget {
  #left = maxComparisons;

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** Options of a diff. Once the budget is spent nothing is equal, which ends a comparison that is under way. */
  limit(maxEditLength: number) {
    return { maxEditLength, comparator: (one: string, other: string) => this.#left-- > 0 && one === other };
  }
}

function rewritten(before: string, after: string): Part[] {
  return [
    { text: before, only: "before" },
    { text: after, only: "after" },
  ];
}

function compareWords(removed: string[], added: string[], budget: Budget): Part[] {
  const [before, after] = [removed.join("\n"), added.join("\n")];
  const whole = rewritten(before, after);
  if (before.trim() === "" || after.trim() === "") return whole.filter(({ text }, index) => text !== "" || [removed, added][index]?.length);
  if (budget.isSpent) return whole;
  const words = diffWordsWithSpace(before, after, budget.limit(maxDifferences.words));
  if (!words) return whole;
  const parts = words.map((word): Part => ({ text: word.value, only: word.removed ? "before" : word.added ? "after" : null }));
  const common = parts.reduce((length, { text, only }) => length + (only ? 0 : text.trim().length), 0);
  return common < leastCommon * Math.min(before.length, after.length) ? whole : parts;
}
