import { afterEach, beforeEach, expect, test } from "vitest";
import { listFaults } from "#domain/faults/faults.server.ts";
import type { Site } from "#domain/site.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { keepFaults } from "./faults.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const fault = (text: string, requestId: string) => ({
  err: new Error(text),
  message: "a loader failed",
  path: "/post/night-bus",
  requestId,
});
const list = async () => (await listFaults(world.site, world.ruth, { list: "open", limit: 100 })).faults;
const patternOf = () => "/post/:slug";

test("errors of the log are saved when the process ends, alike ones as one, also those of before the site was open", async () => {
  const keeper = keepFaults();
  for (const id of ["first", "second"]) keeper.note(fault("no such table", id));
  const end = keeper.begin(world.site, patternOf);
  keeper.note(fault("disk full", "third"));
  await end();
  expect((await list()).map(({ message, count, route, requestId }) => [message, count, route, requestId]).sort()).toEqual([
    ["a loader failed: Error: disk full", 1, "/post/:slug", "third"],
    ["a loader failed: Error: no such table", 2, "/post/:slug", "second"],
  ]);
});

test("while the database is away they wait, so many kinds and no more", async () => {
  const keeper = keepFaults();
  let isAway = true;
  const db = new Proxy(world.site.db, {
    get: (there, name) => {
      if (isAway) throw new Error("no database");
      return Reflect.get(there, name);
    },
  });
  const end = keeper.begin({ ...world.site, db } as Site, patternOf);
  for (let kind = 0; kind < 60; kind++) keeper.note(fault("x".repeat(kind + 1), "one"));
  await end();
  expect(await list()).toEqual([]);
  isAway = false;
  await keeper.begin(world.site, patternOf)();
  expect(await list()).toHaveLength(50);
});
