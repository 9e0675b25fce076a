import { describe, expect, test } from "vitest";
import { BoundedMap, memoizePromise } from "./memory.ts";

const remaining = (memory: BoundedMap<string, number>, keys: string) => [...keys].filter((key) => memory.get(key) !== undefined).join("");

test("the least recently used entry is evicted, by entries and bytes", () => {
  const byEntries = new BoundedMap<string, number>({ entries: 2, bytes: 1_000 });
  for (const key of "ab") byEntries.set(key, 1, 1);
  byEntries.get("a");
  byEntries.set("c", 1, 1);
  expect(remaining(byEntries, "abc")).toBe("ac");
  const byBytes = new BoundedMap<string, number>({ entries: 100, bytes: 10 });
  for (const key of "abc") byBytes.set(key, 1, 3);
  byBytes.set("d", 1, 6);
  expect(remaining(byBytes, "abcd")).toBe("cd");
});

test("replaced and deleted entries free their bytes", () => {
  const memory = new BoundedMap<string, number>({ entries: 100, bytes: 10 });
  for (let times = 0; times < 5; times++) memory.set("a", times, 6);
  memory.set("b", 1, 4);
  expect([memory.get("a"), memory.get("b")]).toEqual([4, 1]);
  memory.delete("a");
  memory.delete("a");
  memory.set("c", 1, 6);
  expect(remaining(memory, "abc")).toBe("bc");
});

test("a value larger than the limit isn't stored and removes the old one", () => {
  const memory = new BoundedMap<string, number>({ entries: 100, bytes: 10 });
  memory.set("a", 1, 5);
  memory.set("b", 1, 5);
  memory.set("a", 2, 11);
  expect(remaining(memory, "ab")).toBe("b");
});

describe("a pending promise", () => {
  const made = (text: string) => Promise.resolve(text.toUpperCase());
  const bytesOf = (done: string) => 2 * done.length;
  const keptOf = (memory: BoundedMap<string, unknown>, keys: string[]) => keys.filter((key) => memory.has(key));

  test("is cached if there is room", async () => {
    const memory = new BoundedMap<string, Promise<string>>({ entries: 100, bytes: 24 });
    for (const text of ["aa", "bb", "cc"]) memoizePromise(memory, text, made(text), bytesOf);
    await new Promise(setImmediate);
    await memory.get("aa");
    memoizePromise(memory, "dd", made("dd"), bytesOf);
    await new Promise(setImmediate);
    expect(keptOf(memory, ["aa", "bb", "cc", "dd"])).toEqual(["aa", "cc", "dd"]);
  });

  test("isn't cached if its value is too large", async () => {
    const memory = new BoundedMap<string, Promise<string>>({ entries: 100, bytes: 24 });
    memoizePromise(memory, "a".repeat(10), made("a".repeat(10)), bytesOf);
    expect(memory.has("a".repeat(10))).toBe(true);
    await new Promise(setImmediate);
    expect(memory.has("a".repeat(10))).toBe(false);
    for (const text of ["bb", "cc", "dd"]) memoizePromise(memory, text, made(text), bytesOf);
    await new Promise(setImmediate);
    expect(keptOf(memory, ["bb", "cc", "dd"])).toEqual(["bb", "cc", "dd"]);
  });

  test("is removed when it rejects", async () => {
    const memory = new BoundedMap<string, Promise<string>>({ entries: 100, bytes: 24 });
    const failed = Promise.reject(new Error("too complicated"));
    memoizePromise(memory, "aaaaaa", failed, bytesOf);
    await expect(failed).rejects.toThrow("too complicated");
    await new Promise(setImmediate);
    expect(memory.has("aaaaaa")).toBe(false);
    for (const text of ["bb", "cc", "dd"]) memoizePromise(memory, text, made(text), bytesOf);
    await new Promise(setImmediate);
    expect(keptOf(memory, ["bb", "cc", "dd"])).toEqual(["bb", "cc", "dd"]);
  });
});
