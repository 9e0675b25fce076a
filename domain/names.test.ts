import { describe, expect, test } from "vitest";
import { checkName, nameTexts, normalizeName } from "./names.ts";
import { cleanText } from "./profiles/profile.ts";

describe("a name", () => {
  test("loses blanks and invisible characters at both ends, not between words", () => {
    expect(normalizeName(" \u200b Maren \u200b  Oduya \u00ad ")).toBe("Maren \u200b  Oduya");
    expect(normalizeName(" \u200b ")).toBe("");
  });

  // In quadratic time these would take an hour.
  test("may have a million blanks between two letters without blocking the process", () => {
    const name = `a${" ".repeat(1_000_000)}b`;
    expect(checkName(name)).toBe(nameTexts.nameTooLong);
    expect(cleanText(name)).toBe(name);
  });
});
