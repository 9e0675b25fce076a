import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { distance, searchColumn, searchWords } from "./search-words.ts";

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

  test("are the same however capitals and accents are written, and hold nothing that either engine could take for syntax", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
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

  test("ends before an index would overflow", () => {
    const endless = Array.from({ length: 60_000 }, (_, index) => `word${index}`).join(" ");
    expect(searchColumn(endless).split(" ")).toHaveLength(20_000);
    const long = Array.from({ length: 19_000 }, (_, index) => `${"語".repeat(63)}${index}`).join(" ");
    expect(Buffer.byteLength(searchColumn(long))).toBeLessThanOrEqual(500_000);
  });
});

describe("the distance of two words", () => {
  test.each([
    ["tide", "tide", 0],
    ["tyde", "tide", 1],
    ["tdie", "tide", 1],
    ["tid", "tide", 1],
    ["tiide", "tide", 1],
    ["lighthuose", "lighthouse", 1],
    ["lihgthuose", "lighthouse", 2],
    ["kitten", "sitting", 3],
    ["bread", "bus", 3],
    ["", "ab", 2],
  ])("%s and %s: %i", (one, other, expected) => {
    expect(distance(one, other, 2)).toBe(expected);
    expect(distance(other, one, 2)).toBe(expected);
  });
});
