import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openWorld, type World } from "../../tests/support/world.ts";
import { listAudit } from "../audit/audit.server.ts";
import { reportBrowserError } from "./browser-errors.server.ts";
import { dismissError, type ErrorOccurrence, listErrors, recordError, sweepErrors } from "./errors.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const stack = "    at readPost (file:///opt/inkstead/domain/posts/post.ts:12:7)\n    at loader (file:///opt/inkstead/app/a.tsx:1:1)";
const note = (changed: Partial<ErrorOccurrence> = {}) =>
  recordError(world.site, {
    source: "server",
    message: "no such column",
    stack,
    route: "/post/:slug",
    requestId: "one-request",
    ...changed,
  });
const list = async (list: "open" | "dismissed" = "open") => (await listErrors(world.site, world.ruth, { list, limit: 500 })).errors;

describe("equal errors", () => {
  test("are grouped with count, first and last time and place", async () => {
    const first = world.site.now();
    await note();
    world.clock.advance(60_000);
    await note({ requestId: "another-request", route: "/all-posts", count: 3 });
    expect(await list()).toMatchObject([
      { source: "server", count: 4, firstAt: first, lastAt: first + 60_000, route: "/all-posts", requestId: "another-request" },
    ]);
  });

  test("are recognized regardless of ids, numbers and lines", async () => {
    await note({ message: "story “night-bus” has 12 words" });
    await note({ message: "story “day-bus” has 9 words", stack: stack.replace("12:7", "40:2") });
    expect(await list()).toMatchObject([{ count: 2 }]);
    await note({ message: "another thing" });
    await note({ source: "browser" });
    await note({ stack: stack.replace("readPost", "readDraft") });
    expect(await list()).toHaveLength(4);
  });

  test("are all counted when concurrent", async () => {
    await Promise.all(Array.from({ length: 8 }, () => note()));
    expect(await list()).toMatchObject([{ count: 8 }]);
  });
});

test("are stored without email addresses and query strings", async () => {
  await note({ message: "duplicate key (ana@example.com)", stack: "at https://stories.example/verify-email?token=abc:1:2" });
  const [fault] = await list();
  expect(fault?.message).toBe("duplicate key (…@…)");
  expect(fault?.stack).toBe("at https://stories.example/verify-email:1:2");
});

test("are limited per source to the newest", async () => {
  const kinds = Array.from({ length: 201 }, (_, index) => `kind ${"x".repeat(index)}`);
  await note({ message: "of the server" });
  for (const message of kinds) {
    world.clock.advance(1);
    await note({ source: "browser", message });
  }
  const left = await list();
  expect(left).toHaveLength(201);
  expect(left.map(({ message }) => message)).toContain("of the server");
  expect(left.map(({ message }) => message)).not.toContain("kind ");
});

describe("dismissing", () => {
  test("hides an error until it happens again, and is in the audit log", async () => {
    await note();
    const fingerprint = (await list())[0]?.fingerprint ?? "";
    await dismissError(world.site, world.ruth, fingerprint);
    expect(await list()).toEqual([]);
    expect(await list("dismissed")).toMatchObject([{ count: 1 }]);
    await expect(dismissError(world.site, world.ruth, fingerprint)).rejects.toMatchObject({ code: "not-found" });
    await note();
    expect(await list()).toMatchObject([{ count: 2, dismissedAt: null }]);
    const { entries } = await listAudit(world.site, world.ruth, { limit: 5 });
    expect(entries.map(({ action, after }) => [action, after])).toEqual([["error.dismissed", { message: "no such column" }]]);
  });

  test.each(["maren", "salma"] as const)("requires permission, like the list: not for %s", async (name) => {
    await expect(listErrors(world.site, world[name], { list: "open", limit: 1 })).rejects.toMatchObject({ code: "not-allowed" });
    await expect(dismissError(world.site, world[name], "x")).rejects.toMatchObject({ code: "not-allowed" });
  });
});

test("the list is paged", async () => {
  for (const message of ["one", "two", "three"]) {
    await note({ message });
    world.clock.advance(1);
  }
  const first = await listErrors(world.site, world.ruth, { list: "open", limit: 2 });
  const second = await listErrors(world.site, world.ruth, { list: "open", limit: 2, after: first.next });
  expect([first, second].map(({ errors: faults }) => faults.map(({ message }) => message))).toEqual([["three", "two"], ["one"]]);
  expect(second.next).toBeNull();
});

test("errors older than a month are removed", async () => {
  await note();
  world.clock.advance(30 * 24 * 60 * 60_000 - 1);
  await sweepErrors(world.site);
  expect(await list()).toHaveLength(1);
  world.clock.advance(1);
  await sweepErrors(world.site);
  expect(await list()).toEqual([]);
});

describe("reports from browsers", () => {
  const fault = { message: "TypeError: x is undefined", stack: "at f (https://stories.example/assets/a.js:1:2)", path: "/post/night-bus" };
  const report = (given: unknown) => reportBrowserError(world.site, given, { requestId: "one-request", patternOf: () => "/post/:slug" });

  test("store the route, not the path", async () => {
    await report(fault);
    expect(await list()).toMatchObject([{ source: "browser", message: fault.message, route: "/post/:slug", requestId: "one-request" }]);
    expect(JSON.stringify(await list())).not.toContain("night-bus");
  });

  test.each([
    ["nothing", undefined],
    ["no object", "x"],
    ["no message", { ...fault, message: " " }],
    ["too much", { ...fault, stack: "x".repeat(2_001) }],
    ["another shape", { ...fault, message: { toString: "x" } }],
  ])("%s is rejected", async (_what, given) => {
    await expect(report(given)).rejects.toMatchObject({ code: "invalid" });
    expect(await list()).toEqual([]);
  });
});
