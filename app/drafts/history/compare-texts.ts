import { diffArrays, diffWordsWithSpace } from "diff";

export type Part = { text: string; only: "before" | "after" | null };

/** Lines that both texts have, or a difference, which is numbered from 0. */
export type Passage = { difference: number | null; parts: Part[] };

/** Beyond that many the texts are two different ones, and comparing further would only take time. */
const maxDifferences = { lines: 1_000, words: 1_000 };
/** Below this share of common characters a passage was written anew: marking its commas and articles as common says nothing. */
const leastCommon = 0.3;

/** Two texts line by line, and word by word where lines differ. */
export function compareTexts(before: string, after: string): Passage[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  const changes = diffArrays(a, b, { maxEditLength: maxDifferences.lines }) ?? [
    { removed: true, added: false, value: a },
    { removed: false, added: true, value: b },
  ];
  const passages: Passage[] = [];
  let [removed, added]: [string[], string[]] = [[], []];
  let difference = 0;
  const end = () => {
    if (removed.length + added.length > 0) passages.push({ difference: difference++, parts: compareWords(removed, added) });
    [removed, added] = [[], []];
  };
  for (const change of changes) {
    if (change.removed) removed.push(...change.value);
    else if (change.added) added.push(...change.value);
    else {
      end();
      passages.push({ difference: null, parts: [{ text: change.value.join("\n"), only: null }] });
    }
  }
  end();
  return passages;
}

function compareWords(removed: string[], added: string[]): Part[] {
  const [before, after] = [removed.join("\n"), added.join("\n")];
  const whole: Part[] = [
    { text: before, only: "before" },
    { text: after, only: "after" },
  ];
  if (before.trim() === "" || after.trim() === "") return whole.filter(({ text }, index) => text !== "" || [removed, added][index]?.length);
  const words = diffWordsWithSpace(before, after, { maxEditLength: maxDifferences.words });
  if (!words) return whole;
  const parts = words.map((word): Part => ({ text: word.value, only: word.removed ? "before" : word.added ? "after" : null }));
  const common = parts.reduce((length, { text, only }) => length + (only ? 0 : text.trim().length), 0);
  return common < leastCommon * Math.min(before.length, after.length) ? whole : parts;
}
