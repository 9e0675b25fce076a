import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchesEtag, parseRange } from "./ranges.ts";

describe("a range of ten bytes", () => {
  test.each([
    ["bytes=0-0", { start: 0, end: 0 }],
    ["bytes=2-5", { start: 2, end: 5 }],
    ["bytes=2-", { start: 2, end: 9 }],
    ["bytes=9-9", { start: 9, end: 9 }],
    ["bytes=0-9", { start: 0, end: 9 }],
    ["bytes=0-10", { start: 0, end: 9 }],
    ["bytes=5-99999999999999999999", { start: 5, end: 9 }],
    ["bytes=-1", { start: 9, end: 9 }],
    ["bytes=-10", { start: 0, end: 9 }],
    ["bytes=-999", { start: 0, end: 9 }],
    ["Bytes= 2-5 ", { start: 2, end: 5 }],
    ["bytes=10-", "unsatisfiable"],
    ["bytes=10-20", "unsatisfiable"],
    ["bytes=99999999999999999999-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    [null, undefined],
    ["", undefined],
    ["bytes=", undefined],
    ["bytes=-", undefined],
    ["bytes=5-2", undefined],
    ["bytes=12-11", undefined],
    ["bytes=0-1,3-4", undefined],
    ["bytes=a-b", undefined],
    ["bytes=1.5-3", undefined],
    ["bytes=--1", undefined],
    ["bytes=0x1-2", undefined],
    ["pages=1-2", undefined],
    ["0-1", undefined],
  ])("%s", (header, expected) => {
    expect(parseRange(header, 10)).toEqual(expected);
  });

  test("of an empty file is the whole file", () => {
    for (const header of ["bytes=0-", "bytes=-5", "bytes=0-0"]) expect(parseRange(header, 0)).toBeUndefined();
  });

  const number = fc.oneof(fc.constant(""), fc.nat().map(String), fc.bigInt({ min: 0n }).map(String));
  test("never exceeds the file", () =>
    fc.assert(
      fc.property(number, number, fc.nat(), (first, last, size) => {
        const range = parseRange(`bytes=${first}-${last}`, size);
        return typeof range !== "object" || (range.start >= 0 && range.start <= range.end && range.end < size);
      }),
    ));
});

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ["*", true],
  ['"b"', false],
  ["a", false],
  ["", false],
  [null, false],
])("If-None-Match: %s", (header, expected) => {
  expect(matchesEtag(header, '"a"')).toBe(expected);
});
