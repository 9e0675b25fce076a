import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../tests/support/xss.ts";
import { highlight, snippet, type WordMatcher } from "./highlight.ts";

const among =
  (...words: string[]): WordMatcher =>
  (word) =>
    words.includes(word);

describe("highlighting", () => {
  test("marks whole words and leaves the rest unchanged", () => {
    expect(highlight("Snow, <b>snow</b> & ice", among("snow", "ice"))).toEqual([
      { text: "Snow, <b>", hit: false },
      { text: "snow", hit: true },
      { text: "</b> & ", hit: false },
      { text: "ice", hit: true },
    ]);
    expect(highlight("", among("snow"))).toEqual([]);
  });

  test("loses and adds nothing for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), fc.func(fc.boolean()), (text, isHit) => {
        const pieces = highlight(text, isHit);
        expect(pieces.map((piece) => piece.text).join("")).toBe(text);
        for (const [index, piece] of pieces.entries()) expect(piece.hit).not.toBe(pieces[index + 1]?.hit);
      }),
    );
  });
});

describe("a snippet", () => {
  const long = `${"one two three ".repeat(40)}needle ${"four five ".repeat(40)}`;

  test("is the whole text if it is short", () => {
    expect(snippet(" a\n needle ", among("needle"), 100)).toBe("a needle");
  });

  test("is around the first match, cut between words", () => {
    expect(snippet(long, among("needle"), 60)).toMatch(/^\.\.\.\w+ .*\bneedle four .*five\.\.\.$|^\.\.\.\w+ .*\bneedle four .*four\.\.\.$/);
  });

  test("is the beginning without a match", () => {
    expect(snippet(long, among("pin"), 20)).toBe("one two three one...");
  });

  test("is not much longer than the limit, with whole characters only", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), fc.integer({ min: 10, max: 120 }), (text, length) => {
        const cut = snippet(text, (word) => word.length > 3, length);
        expect(cut.length).toBeLessThanOrEqual(length + 6);
        expect(cut.isWellFormed()).toBe(true);
      }),
    );
  });
});
