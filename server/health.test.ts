import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openWeb } from "../tests/support/web.ts";
import { openWorld, type World } from "../tests/support/world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

test("many requests of /readyz check the files once", async () => {
  const check = vi.spyOn(world.site.files, "check");
  const web = openWeb(world);
  const answers = await Promise.all(Array.from({ length: 100 }, () => web.request("/readyz")));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await answers[99]?.json()).toEqual({ status: "ok", database: true, files: true });
  expect(check).toHaveBeenCalledTimes(1);
});
