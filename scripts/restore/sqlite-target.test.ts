import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acquireExclusiveLock } from "#platform/database/sqlite/exclusive-lock.ts";
import { readOptions } from "./options.ts";
import { restore } from "./restore.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "inkstead-restore-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const backup = "tests/databases/first-release.tar";
const restoreBackup = (...options: string[]) => restore(readOptions([backup, ...options], { DATA_DIR: folder }), { write: () => true });

test.each([
  ["an empty place", []],
  ["a site", ["--overwrite"]],
])("what a killed restore into %s left is removed", async (_place, options) => {
  if (options.length > 0) await restoreBackup();
  const leftover = join(folder, "restoring-0a1b2c3d");
  mkdirSync(leftover);
  writeFileSync(join(leftover, "inkstead.db"), "a part of a database");
  await restoreBackup(...options);
  expect(readdirSync(folder).filter((name) => name.startsWith("restoring-"))).toEqual([]);
});

test("an empty place in which a site is starting is refused and left alone", async () => {
  writeFileSync(join(folder, "secret"), "kept");
  const release = acquireExclusiveLock(folder, "http://inkstead.test");
  const before = readdirSync(folder);
  await expect(restoreBackup()).rejects.toThrow(/belongs to another process of Inkstead: .+ at http:\/\/inkstead\.test/);
  expect(readdirSync(folder)).toEqual(before);
  release();
});

test("no site starts in an empty place during a restore", async () => {
  const starts: unknown[] = [];
  const write = () => {
    try {
      acquireExclusiveLock(folder, "http://inkstead.test")();
      starts.push("started");
    } catch (error) {
      starts.push((error as Error).message);
    }
  };
  await restore(readOptions([backup], { DATA_DIR: folder }), { write });
  // Its first line comes before the lock.
  expect(starts.slice(1)).toContainEqual(expect.stringContaining("at a restore"));
  expect(starts.slice(1)).not.toContain("started");
});

test("an unexpected failure is one line, and leaves nothing", async () => {
  writeFileSync(join(folder, "file"), "");
  const env = { PATH: process.env.PATH, DATA_DIR: join(folder, "file", "data"), SECRET: "a secret that only the tests know" };
  const { stderr } = await promisify(execFile)(process.execPath, ["scripts/restore.ts", backup], { env }).catch((error) => error);
  expect(stderr).toMatch(/^The restore failed: ENOTDIR: .+\nNothing was changed\.\n$/);
});
