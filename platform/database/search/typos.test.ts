import { describe, expect, test } from "vitest";
import { distance } from "./typos.ts";

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
