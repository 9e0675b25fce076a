import fc from "fast-check";
import { expect, test } from "vitest";
import { contentMaxLength } from "#domain/posts/post.ts";
import { compareTexts, type Passage } from "./compare-texts.ts";

/** `[-…-]` is in the first text alone, `{+…+}` in the second. */
function shown(passages: Passage[]): string {
  const marks = { before: ["[-", "-]"], after: ["{+", "+}"] };
  const part = ({ text, only }: Passage["parts"][number]) => (only ? marks[only][0] + text + marks[only][1] : text);
  return passages.map(({ parts }) => parts.map(part).join("")).join("\n");
}
const compared = (before: string, after: string) => shown(compareTexts(before, after));

test("marks only the differing words of a long line", () => {
  const before = "One\nthe keeper left an inventory on a nail inside the pantry\nThree";
  const after = "One\nthe keeper left a long inventory on a nail inside the kitchen\nThree";
  expect(compared(before, after)).toBe(
    "One\nthe keeper left [-an-]{+a+} {+long +}inventory on a nail inside the [-pantry-]{+kitchen+}\nThree",
  );
});

test("added and removed lines are separate differences, in order", () => {
  const passages = compareTexts("a a\nb b\nc c\nd d", "a a\nc c\nd d\ne e");
  expect(passages.map(({ difference }) => difference)).toEqual([null, 0, null, 1]);
  expect(shown(passages)).toBe("a a\n[-b b-]\nc c\nd d\n{+e e+}");
});

test("marks a rewritten passage as a whole", () => {
  expect(compared("It rained, and the boats stayed.", "Nobody, and I mean it, came.")).toBe(
    "[-It rained, and the boats stayed.-]{+Nobody, and I mean it, came.+}",
  );
});

test("equal texts have no difference", () => {
  expect(compareTexts("same\ntext", "same\ntext").every(({ difference }) => difference === null)).toBe(true);
});

test("the comparison contains both texts completely", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "word", " ", "\n", ",", "é"), maxLength: 60 });
  const side = (passages: Passage[], other: "before" | "after") =>
    passages
      .filter(({ parts }) => parts.some(({ only }) => only !== other))
      .map(({ parts }) => parts.map(({ text: part, only }) => (only === other ? "" : part)).join(""))
      .join("\n");
  fc.assert(
    fc.property(text, text, (before, after) => {
      const passages = compareTexts(before, after);
      expect(side(passages, "after")).toBe(before);
      expect(side(passages, "before")).toBe(after);
    }),
  );
});

test("stops in time for texts without anything in common", () => {
  const words = (beginning: string) => Array.from({ length: 60_000 }, (_, i) => beginning + i).join(" ");
  expect(compareTexts(words("a"), words("b"))[0]?.parts).toHaveLength(2);
});

const greatestLength = contentMaxLength;

test("compares texts that a story may have, and no longer ones", () => {
  const equal = "One line.\n".repeat(greatestLength / 10 - 1);
  const lengths = (after: string) => compareTexts(`${equal}before`, equal + after).map(({ parts }) => parts.length);
  expect(lengths("after")).toEqual([1, 2]);
  expect(lengths("a word more")).toEqual([2]);
  const long = "a\n".repeat(greatestLength);
  expect(compareTexts(long, long).map(({ difference }) => difference)).toEqual([null]);
});

test("compares a few passages by words if a text has hundreds with many differences", () => {
  let state = 1;
  const letter = () => {
    state = (state * 48_271) % 2_147_483_647;
    return "abcd"[state % 4];
  };
  const alternating = () => {
    const lines: string[] = [];
    for (let length = 0; length < greatestLength - 2_000; length += 1_300)
      lines.push(`Equal line ${lines.length}`, Array.from({ length: 600 }, letter).join(" "));
    return lines.join("\n");
  };
  const differences = compareTexts(alternating(), alternating()).filter(({ difference }) => difference !== null);
  const byWords = differences.map(({ parts }) => parts.length > 2);
  expect(byWords.length).toBeGreaterThan(300);
  expect(byWords[0]).toBe(true);
  expect(byWords.filter(Boolean).length).toBeLessThan(20);
  expect(byWords.at(-1)).toBe(false);
});

test("compares texts of a hundred thousand lines without anything in common", () => {
  const lines = (letter: string) => Array.from({ length: greatestLength / 2 }, () => letter).join("\n");
  expect(compareTexts(lines("a"), lines("b")).map(({ parts }) => parts.length)).toEqual([2]);
});
