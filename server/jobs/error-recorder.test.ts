import { afterEach, beforeEach, expect, test } from "vitest";
import { listErrors } from "#domain/errors/errors.server.ts";
import type { Site } from "#domain/site.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { createErrorRecorder } from "./error-recorder.ts";

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
const list = async () => (await listErrors(world.site, world.ruth, { list: "open", limit: 100 })).errors;
const patternOf = () => "/post/:slug";

test("logged errors are grouped and saved when the process ends, also those from before the site was open", async () => {
  const recorder = createErrorRecorder();
  for (const id of ["first", "second"]) recorder.add(fault("no such table", id));
  const end = recorder.start(world.site, patternOf);
  recorder.add(fault("disk full", "third"));
  await end();
  expect((await list()).map(({ message, count, route, requestId }) => [message, count, route, requestId]).sort()).toEqual([
    ["a loader failed: Error: disk full", 1, "/post/:slug", "third"],
    ["a loader failed: Error: no such table", 2, "/post/:slug", "second"],
  ]);
});

test("during an outage a bounded number of different errors waits", async () => {
  const recorder = createErrorRecorder();
  let isAway = true;
  const db = new Proxy(world.site.db, {
    get: (there, name) => {
      if (isAway) throw new Error("no database");
      return Reflect.get(there, name);
    },
  });
  const end = recorder.start({ ...world.site, db } as Site, patternOf);
  for (let kind = 0; kind < 60; kind++) recorder.add(fault("x".repeat(kind + 1), "one"));
  await end();
  expect(await list()).toEqual([]);
  isAway = false;
  recorder.add(fault("x", "two"));
  await recorder.start(world.site, patternOf)();
  expect(await list()).toHaveLength(50);
  expect((await list()).find(({ message }) => message.endsWith(" x"))).toMatchObject({ count: 2, requestId: "two" });
});
