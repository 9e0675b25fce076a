import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
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

test("a build without its sources, as in the image, counts as built", async () => {
  const folder = mkdtempSync(join(tmpdir(), "inkstead-image-"));
  try {
    mkdirSync(join(folder, "build", "site"), { recursive: true });
    writeFileSync(join(folder, "build", "site", "serve.js"), "");
    for (const source of ["app", "domain", "platform", "server", "scripts"]) mkdirSync(join(folder, source));
    const program = `import { buildIfNeeded } from ${JSON.stringify(join(import.meta.dirname, "build.ts"))}; console.log(await buildIfNeeded());`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], { cwd: folder });
    expect(stdout).toBe("true\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
