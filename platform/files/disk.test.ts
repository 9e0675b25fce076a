import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
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

test("what is put comes back, byte for byte", async () => {
  const all = Uint8Array.from({ length: 256 }, (_, i) => i);
  await store.put("a/original", all);
  expect(await store.get("a/original")).toEqual(Buffer.from(all));
  expect(await store.size("a/original")).toBe(256);
});

test("what was never put is undefined", async () => {
  expect(await store.get("a/original")).toBeUndefined();
  expect(await store.size("a/original")).toBeUndefined();
});

test("a second put replaces the first and leaves nothing beside it", async () => {
  await store.put("a/original", bytes("first, and longer"));
  await store.put("a/original", bytes("second"));
  expect(String(await store.get("a/original"))).toBe("second");
  expect(everything()).toEqual(["files", "files/a", "files/a/original"]);
});

test("several puts of one key at once end with one of them whole", async () => {
  const texts = Array.from({ length: 8 }, (_, i) => String(i).repeat(100_000));
  await Promise.all(texts.map((text) => store.put("a/original", bytes(text))));
  expect(texts).toContain(String(await store.get("a/original")));
  expect(everything()).toEqual(["files", "files/a", "files/a/original"]);
});

test("a put that fails leaves what was there, and nothing beside it", async () => {
  mkdirSync(join(folder, "files", "a", "original"), { recursive: true });
  await expect(store.put("a/original", bytes("text"))).rejects.toThrow();
  expect(everything()).toEqual(["files", "files/a", "files/a/original"]);
});

test("a stream gives a part, both ends included", async () => {
  await store.put("a/original", bytes("0123456789"));
  expect(String(await buffer(await store.stream("a/original", 2, 5)))).toBe("2345");
});

test("deleting a folder takes everything in it and nothing else; twice is once", async () => {
  for (const key of ["a/original", "a/96.webp", "ab/original"]) await store.put(key, bytes(key));
  await store.deleteFolder("a");
  await store.deleteFolder("a");
  expect(await store.get("a/96.webp")).toBeUndefined();
  expect(String(await store.get("ab/original"))).toBe("ab/original");
});

describe("the check", () => {
  test("passes, several at once, and leaves nothing behind", async () => {
    await Promise.all([store.check(), store.check(), store.check()]);
    expect(everything()).toEqual(["files"]);
  });

  test("fails when the folder can't be written to", async () => {
    writeFileSync(join(folder, "file"), "");
    await expect(diskStore(join(folder, "file")).check()).rejects.toThrow();
  });
});

describe("a key that leads elsewhere is refused", () => {
  test.each(["", ".", "..", "../secret", "a/../../secret", "/etc/passwd", "a//b", "a/", "a\\..\\b", "a\0b"])("%j", async (key) => {
    writeFileSync(join(folder, "secret"), "kept");
    await expect(store.put(key, bytes("x"))).rejects.toThrow();
    await expect(store.stream(key, 0, 1)).rejects.toThrow();
    await expect(store.deleteFolder(key)).rejects.toThrow();
    await expect(store.get(key)).rejects.toThrow();
    await expect(store.size(key)).rejects.toThrow();
    expect(everything()).toEqual(["secret"]);
  });
});
