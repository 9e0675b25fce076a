import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { openWeb } from "../../tests/support/web.ts";
import { openWorld } from "../../tests/support/world.ts";
import { type Watchdog, watchEventLoop } from "./watchdog.ts";

let watchdog: Watchdog | undefined;
afterEach(() => watchdog?.close());

/** Blocks the event loop, like a long synchronous computation. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

async function blockUntil(condition: () => boolean): Promise<void> {
  while (!condition()) {
    block(300);
    // Like requests, not in one turn of the timers.
    await new Promise(setImmediate);
  }
}

describe("the watchdog", () => {
  test("reports overload while the loop is blocked, and stops some time after", async () => {
    watchdog = watchEventLoop({ lagLimit: 150, window: 50 });
    const { isOverloaded } = watchdog;
    await blockUntil(isOverloaded);
    expect(isOverloaded()).toBe(true);
    await expect.poll(isOverloaded).toBe(false);
  });

  test("a single stall is no overload", async () => {
    watchdog = watchEventLoop({ lagLimit: 60_000, window: 50 });
    block(300);
    await wait(200);
    expect(watchdog.isOverloaded()).toBe(false);
  });
});

test("an overloaded process refuses expensive requests and serves the others", async () => {
  const world = await openWorld();
  let overloaded = true;
  const web = openWeb(world, { isOverloaded: () => overloaded });
  const list = "/v1/databases/main/collections/profiles/documents?project=inkstead";
  const refused = await web.request("/search/suggestions?q=ink");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  const api = await web.request(list);
  expect([api.status, (await api.json()).type]).toEqual([503, "general_unavailable"]);
  for (const path of ["/healthz", "/", "/login"]) expect((await web.request(path)).status).toBe(200);
  overloaded = false;
  expect((await web.request("/search/suggestions?q=ink")).status).toBe(200);
  expect((await web.request(list)).status).toBe(200);
  await world.close();
});
