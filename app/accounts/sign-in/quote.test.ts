import { expect, test } from "vitest";
import { openingOf } from "./quote.server.ts";

test.each([
  ["One sentence stands alone.", "One sentence stands alone."],
  ["I answer letters on Sundays now. It has cost me two clients.", "I answer letters on Sundays now. It has cost me two clients."],
  [`She said “Go.” ${"So I went. ".repeat(20)}`, `She said “Go.” ${"So I went. ".repeat(14)}`.trim()],
  ["no end in sight ".repeat(20), `${"no end in sight ".repeat(10)}no end in...`],
  [`${"One endless sentence ".repeat(12)}ends. Another.`, `${"One endless sentence ".repeat(8).trim()}...`],
  ["", ""],
])("the opening of %j", (text, opening) => {
  expect(openingOf(text)).toBe(opening);
});

test("handles hostile text without backtracking", () => {
  const start = performance.now();
  openingOf(".".repeat(400));
  openingOf(`${"a".repeat(400)}`);
  openingOf(`.${'"'.repeat(398)}a`);
  expect(performance.now() - start).toBeLessThan(5_000); // Backtracking would take minutes.
});
