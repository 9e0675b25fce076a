import { expect, test } from "vitest";
import { Pace } from "./pace.ts";

test("what comes at once begins one by one, and after a pause at once", () => {
  const pace = new Pace(10);
  expect([0, 0, 3, 3].map((now) => pace.takeTurn(now, 100))).toEqual([0, 10, 17, 27]);
  expect(pace.takeTurn(500, 100)).toBe(0);
});

test("who would wait too long takes no turn", () => {
  const pace = new Pace(10);
  expect([0, 0, 0, 0].map((now) => pace.takeTurn(now, 15))).toEqual([0, 10, undefined, undefined]);
  expect(pace.takeTurn(5, 15)).toBe(15);
});
