import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withLock } from "./lock.mjs";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "inkstead-lock-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test("two processes take the same lock in turn", async () => {
  const file = join(folder, "both");
  const events: string[] = [];
  const work = (name: string) => async () => {
    events.push(`${name} begins`);
    await pause(100);
    events.push(`${name} ends`);
  };
  await Promise.all([withLock(file, work("one")), withLock(file, work("other"))]);
  const first = events[0] === "one begins" ? ["one", "other"] : ["other", "one"];
  expect(events).toEqual(first.flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test("the lock is released when the work fails", async () => {
  const file = join(folder, "failing");
  await expect(withLock(file, () => Promise.reject(new Error("no space left")))).rejects.toThrow("no space left");
  expect(existsSync(file)).toBe(false);
});

test("a dead process's lock is taken over at once", async () => {
  const file = join(folder, "gone");
  writeFileSync(file, JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }));
  expect(await withLock(file, () => "done")).toBe("done");
});

test("a silent remote holder's lock is taken over by only one of several", async () => {
  const file = join(folder, "silent");
  writeFileSync(file, JSON.stringify({ pid: process.pid, host: "elsewhere" }));
  const past = new Date(Date.now() - 60_000);
  utimesSync(file, past, past);
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await pause(30);
    inside--;
  };
  await Promise.all([1, 2, 3, 4].map(() => withLock(file, work)));
  expect(most).toBe(1);
});
