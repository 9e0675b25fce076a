import { expect, test } from "vitest";
import { Bounded } from "./memory.ts";

const kept = (memory: Bounded<string, number>, keys: string) => [...keys].filter((key) => memory.get(key) !== undefined).join("");

test("what was used least recently makes room, by entries and by bytes", () => {
  const byEntries = new Bounded<string, number>({ entries: 2, bytes: 1_000 });
  for (const key of "ab") byEntries.set(key, 1, 1);
  byEntries.get("a");
  byEntries.set("c", 1, 1);
  expect(kept(byEntries, "abc")).toBe("ac");
  const byBytes = new Bounded<string, number>({ entries: 100, bytes: 10 });
  for (const key of "abc") byBytes.set(key, 1, 3);
  byBytes.set("d", 1, 6);
  expect(kept(byBytes, "abcd")).toBe("cd");
});

test("what is set anew or deleted counts once", () => {
  const memory = new Bounded<string, number>({ entries: 100, bytes: 10 });
  for (let times = 0; times < 5; times++) memory.set("a", times, 6);
  memory.set("b", 1, 4);
  expect([memory.get("a"), memory.get("b")]).toEqual([4, 1]);
  memory.delete("a");
  memory.delete("a");
  memory.set("c", 1, 6);
  expect(kept(memory, "abc")).toBe("bc");
});

test("what is larger than all of it is not kept, nor what it replaces", () => {
  const memory = new Bounded<string, number>({ entries: 100, bytes: 10 });
  memory.set("a", 1, 5);
  memory.set("b", 1, 5);
  memory.set("a", 2, 11);
  expect(kept(memory, "ab")).toBe("b");
});
