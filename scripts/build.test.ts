import { execFile } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { builtSite, startServer } from "../tests/support/process.ts";
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

test("a start during an update runs the SQL of its build, not that of the newer sources", async () => {
  const root = join(import.meta.dirname, "..");
  const [built, folder] = [await builtSite(), mkdtempSync(join(tmpdir(), "inkstead-updating-"))];
  try {
    const definitions = join("platform", "database", "definitions");
    for (const each of ["package.json", definitions]) cpSync(join(root, each), join(folder, each), { recursive: true });
    cpSync(built, join(folder, "build", "site"), { recursive: true });
    for (const each of ["node_modules", "build/client"]) symlinkSync(join(root, each), join(folder, each));
    appendFileSync(join(folder, definitions, "sqlite", "typos.sql"), "\n\ncreate view newer as select 1 as one\n");
    const server = await startServer({}, "sqlite", join(folder, "build", "site"));
    try {
      await server.stop();
      const database = new DatabaseSync(join(server.dataDir, "inkstead.db"));
      const names = database.prepare("select name from sqlite_schema where name in ('newer', 'search_words_similar')").all();
      database.close();
      expect(names).toEqual([{ name: "search_words_similar" }]);
    } finally {
      await server.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
