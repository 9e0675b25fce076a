import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../tests/support/xss.ts";
import { searchColumn, searchWords, variants } from "./search-words.ts";

describe("the words of a text", () => {
  test.each([
    ["The Lighthouse-Keeper’s Inventory", ["the", "lighthouse", "keeper", "s", "inventory"]],
    ["Café, CAFÉ and cafe\u0301", ["cafe", "cafe", "and", "cafe"]],
    ["Straße Øresund Łódź Þór ısı ŒUVRE", ["strasse", "oresund", "lodz", "thor", "isi", "oeuvre"]],
    ["ΟΔΟΣ Ὀδυσσεύς", ["οδοσ", "οδυσσευσ"]],
    ["Ёлка и йод", ["елка", "и", "иод"]],
    ["हिन्दी में", ["हिन्दी", "में"]],
    ["夜行バス 한국어", ["夜行バス", "한국어"]],
    ["and/or example.com a_b 3-4 ½", ["and", "or", "example", "com", "a", "b", "3", "4", "1", "2"]],
    ["ﬁre №5", ["fire", "no5"]],
    [" !? ", []],
  ])("%s", (text, words) => {
    expect(searchWords(text)).toEqual(words);
  });

  test("ignore case and accents, and contain no syntax of either engine", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
        const words = searchWords(text);
        expect(searchWords(words.join(" "))).toEqual(words);
        for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
      }),
    );
  });
});

describe("a search column", () => {
  test("holds each word once", () => {
    expect(searchColumn("Row, row, row your boat")).toBe("row your boat");
  });

  test("is limited to what the index can hold", () => {
    const endless = Array.from({ length: 60_000 }, (_, index) => `word${index}`).join(" ");
    expect(searchColumn(endless).split(" ")).toHaveLength(20_000);
    const long = Array.from({ length: 19_000 }, (_, index) => `${"語".repeat(63)}${index}`).join(" ");
    expect(Buffer.byteLength(searchColumn(long))).toBeLessThanOrEqual(500_000);
  });
});

describe("the variants of a word", () => {
  test("omit none, one or two of its first seven letters", () => {
    expect(variants("tide", 1)).toEqual(["tide", "ide", "tde", "tie", "tid"]);
    expect(variants("ooo", 2)).toEqual(["ooo", "oo", "o"]);
    expect(variants("painter", 2)).toHaveLength(1 + 7 + 21);
    expect(variants("ёлка", 1)).toContain("ёка");
  });

  test("overlap with those of words with few typos", () => {
    const letters = fc.constantFrom("a", "b", "c", "d", "語");
    const typo = fc.record({ kind: fc.constantFrom("added", "left out", "another", "swapped"), at: fc.nat(), letter: letters });
    const word = fc.array(letters, { minLength: 4, maxLength: 12 });
    fc.assert(
      fc.property(word, fc.array(typo, { minLength: 1, maxLength: 2 }), (meant, typos) => {
        const typed = typos.reduce<string[]>((before, each) => mistype(before, each), meant).join("");
        const known = new Set(variants(meant.join(""), typos.length));
        expect(variants(typed, typos.length).some((each) => known.has(each))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  function mistype(letters: string[], { kind, at, letter }: { kind: string; at: number; letter: string }): string[] {
    const index = at % letters.length;
    if (kind === "added") return letters.toSpliced(index, 0, letter);
    if (kind === "left out") return letters.toSpliced(index, 1);
    if (kind === "another") return letters.with(index, letter);
    return letters.toSpliced(index, 2, ...letters.slice(index, index + 2).reverse());
  }
});
