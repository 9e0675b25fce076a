import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { diskStore } from "./disk.ts";
import type { FileStore } from "./file-store.ts";

let folder: string;
let store: FileStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "inkstead-disk-"));
  store = diskStore(join(folder, "files"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (text: string) => Buffer.from(text);
const everything = () => readdirSync(folder, { recursive: true }).map(String).sort();

test("a second put replaces the first and leaves no other file", async () => {
  await store.put("a/original", bytes("first, and longer"));
  await store.put("a/original", bytes("second"));
  expect(String(await store.get("a/original"))).toBe("second");
  expect(everything()).toEqual(["files", "files/a", "files/a/original"]);
});

test("of parallel puts of one key, one is stored whole", async () => {
  const texts = Array.from({ length: 8 }, (_, i) => String(i).repeat(100_000));
  await Promise.all(texts.map((text) => store.put("a/original", bytes(text))));
  expect(texts).toContain(String(await store.get("a/original")));
  expect(everything()).toEqual(["files", "files/a", "files/a/original"]);
});

test("a failed put leaves the old file and no other", async () => {
  mkdirSync(join(folder, "files", "a", "original"), { recursive: true });
  await expect(store.put("a/original", bytes("text"))).rejects.toThrow();
  expect(everything()).toEqual(["files", "files/a", "files/a/original"]);
});

describe("the check", () => {
  test("passes, also in parallel, and leaves no file", async () => {
    await Promise.all([store.check(), store.check(), store.check()]);
    expect(everything()).toEqual(["files"]);
  });

  test("fails when the folder can't be written to", async () => {
    writeFileSync(join(folder, "file"), "");
    await expect(diskStore(join(folder, "file")).check()).rejects.toThrow();
  });
});

test("a key outside the folder is refused", async () => {
  writeFileSync(join(folder, "secret"), "kept");
  for (const key of ["../secret", "a/../../secret", ".."]) {
    await expect(store.put(key, bytes("x"))).rejects.toThrow();
    await expect(store.deleteFolder(key)).rejects.toThrow();
  }
  expect(everything()).toEqual(["secret"]);
});
