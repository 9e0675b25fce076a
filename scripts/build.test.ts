import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../tests/support/xss.ts";
import { escapeNonLatin1 } from "./build.ts";

const run = (code: string): unknown => new Function(`return ${code}`)();

test("a built file is Latin-1 and means the same, whatever its strings hold", () => {
  const backslashesAndLetters = fc.string({ unit: fc.constantFrom("\\", "é", "—", "😀", "a", "n", "u") });
  fc.assert(
    fc.property(fc.oneof(backslashesAndLetters, fc.string({ unit: anyCharacter })), (text) => {
      const code = escapeNonLatin1(JSON.stringify(text));
      expect(code).toMatch(/^[\0-\xff]*$/);
      expect(run(code)).toBe(text);
    }),
  );
});

test.each([
  ["a backslash before one in a pattern", "/^\\—$/.test('—')"],
  ["two backslashes before one", "/^\\\\—$/.test('\\\\—')"],
  ["a class of characters beyond two bytes", "/^[😀-🙏]$/u.test('😄')"],
  ["a template", "`—` === '—'"],
])("%s means the same", (_what, code) => {
  expect(run(code)).toBe(true);
  expect(run(escapeNonLatin1(code))).toBe(true);
});
