import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../../tests/support/world.ts";
import { siteVersion, VersionedCache } from "./version.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const numbers = new VersionedCache<number>("number");
const texts = new VersionedCache<string>("text");

test("a value is found at its version only, and kinds are separate", () => {
  const { site } = world;
  numbers.set(site, "a", { version: "1", value: 7, bytes: 8 });
  expect(numbers.get(site, "a", "1")).toBe(7);
  expect(numbers.get(site, "a", "2")).toBeUndefined();
  expect(numbers.get(site, "a", undefined)).toBeUndefined();
  expect(numbers.has(site, "a")).toBe(true);
  expect(texts.get(site, "a", "1")).toBeUndefined();
});

test("all kinds share one limit; the least recently used go first", () => {
  const { site } = world;
  const part = 3.5 * 1024 * 1024;
  for (const key of ["a", "b"]) numbers.set(site, key, { version: "1", value: 7, bytes: part });
  for (const key of ["a", "b"]) texts.set(site, key, { version: "1", value: key, bytes: part });
  expect(numbers.get(site, "a", "1")).toBe(7);
  texts.set(site, "c", { version: "1", value: "c", bytes: part });
  expect(["a", "b"].map((key) => numbers.has(site, key))).toEqual([true, false]);
  expect(["a", "b", "c"].map((key) => texts.has(site, key))).toEqual([true, true, true]);
});

test("the version changes with each commit and with the settings", async () => {
  const { site } = world;
  const before = await siteVersion(site, "known");
  site.settings.siteName = "Another Place";
  expect(await siteVersion(site, "known")).not.toBe(before);
  const versionBefore = await siteVersion(site);
  await site.db.insertInto("attempts").values({ kind: "a", subject: "", network: "", count: 1, endsAt: 1 }).execute();
  expect(await siteVersion(site)).not.toBe(versionBefore);
});
