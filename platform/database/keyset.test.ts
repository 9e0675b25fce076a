import { expect, test } from "vitest";
import { cutPage, readCursor, writeCursor } from "./keyset.ts";

test("a cursor is read as it was written", () => {
  expect(readCursor(writeCursor([1_700_000_000_000, "a.b-c"]), ["number", "text"])).toEqual([1_700_000_000_000, "a.b-c"]);
  expect(readCursor(writeCursor(["-12", "Ünder “the” bridge"]), ["number", "text"])).toEqual([-12, "Ünder “the” bridge"]);
});

test.each([null, undefined, "", "5-x", "99", "nonsense", writeCursor([5]), writeCursor(["a", 5]), writeCursor([5, "\0"])])(
  "%j starts at the beginning",
  (cursor) => {
    expect(readCursor(cursor, ["number", "text"])).toBeUndefined();
  },
);

test("too large numbers start at the beginning", () => {
  expect(readCursor(writeCursor([1e20]), ["number"])).toBeUndefined();
  expect(readCursor(writeCursor([0.5]), ["number"])).toBeUndefined();
});

test("the extra row is cut off and tells that there is a next page", () => {
  expect(cutPage([3, 2, 1], 2, (row) => [row])).toEqual({ rows: [3, 2], next: writeCursor([2]) });
  expect(cutPage([3, 2], 2, (row) => [row])).toEqual({ rows: [3, 2], next: null });
});
