import { expect, test } from "vitest";
import { RecentTexts } from "./recent-texts.ts";

const made = (text: string) => Promise.resolve(text.toUpperCase());
const sizeOf = (done: string) => done.length;
const kept = (recent: RecentTexts<string>, texts: string[]) => texts.filter((text) => recent.has(text));

test("what was asked for last stays, as far as there is room", async () => {
  const recent = new RecentTexts<string>(12);
  for (const text of ["aa", "bb", "cc"]) recent.keep(text, made(text), sizeOf);
  await Promise.resolve();
  await recent.get("aa");
  recent.keep("dd", made("dd"), sizeOf);
  await new Promise(setImmediate);
  expect(kept(recent, ["aa", "bb", "cc", "dd"])).toEqual(["aa", "cc", "dd"]);
});

test("what alone is more than there is room for is not kept", async () => {
  const recent = new RecentTexts<string>(12);
  recent.keep("a".repeat(10), made("a".repeat(10)), sizeOf);
  await new Promise(setImmediate);
  expect(recent.has("a".repeat(10))).toBe(false);
  for (const text of ["bb", "cc", "dd"]) recent.keep(text, made(text), sizeOf);
  await new Promise(setImmediate);
  expect(kept(recent, ["bb", "cc", "dd"])).toEqual(["bb", "cc", "dd"]);
});

test("a failure is forgotten, and takes up no room", async () => {
  const recent = new RecentTexts<string>(12);
  const failed = Promise.reject(new Error("too complicated"));
  recent.keep("aaaaaa", failed, sizeOf);
  await expect(failed).rejects.toThrow("too complicated");
  await new Promise(setImmediate);
  expect(recent.has("aaaaaa")).toBe(false);
  for (const text of ["bb", "cc", "dd"]) recent.keep(text, made(text), sizeOf);
  await new Promise(setImmediate);
  expect(kept(recent, ["bb", "cc", "dd"])).toEqual(["bb", "cc", "dd"]);
});
