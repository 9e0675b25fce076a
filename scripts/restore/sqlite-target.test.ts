import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readOptions } from "./options.ts";
import { restore } from "./restore.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "inkstead-restore-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("what a killed restore left is removed", async () => {
  const restoreBackup = (...options: string[]) =>
    restore(readOptions(["tests/databases/first-release.tar", ...options], { DATA_DIR: folder }), { write: () => true });
  await restoreBackup();
  const leftover = join(folder, "restoring-0a1b2c3d");
  mkdirSync(leftover);
  writeFileSync(join(leftover, "inkstead.db"), "a part of a database");
  await restoreBackup("--overwrite");
  expect(readdirSync(folder).filter((name) => name.startsWith("restoring-"))).toEqual([]);
});
