import fc from "fast-check";
import { expect, test } from "vitest";
import { compareLines } from "./compare-lines.ts";

const marked = (mine: string, theirs: string) => {
  const lines = compareLines(mine, theirs);
  return [lines.mine, lines.theirs].map((side) => side.filter(({ differs }) => differs).map(({ text }) => text));
};

test("lines that the other text lacks are marked, wherever they stand", () => {
  expect(marked("a\nb\nc", "a\nb\nc")).toEqual([[], []]);
  expect(marked("a\nb\nc", "a\nx\nc")).toEqual([["b"], ["x"]]);
  expect(marked("a\nb\nc\nd", "b\nd\ne")).toEqual([["a", "c"], ["e"]]);
});

test("what is not marked is the same on both sides", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (mine, theirs) => {
      const lines = compareLines(mine, theirs);
      const plain = (side: typeof lines.mine) => side.filter(({ differs }) => !differs).map((line) => line.text);
      expect(plain(lines.mine)).toEqual(plain(lines.theirs));
    }),
  );
});
