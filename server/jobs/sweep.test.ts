import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { storeFeaturedPicture } from "#domain/files/files.server.ts";
import type { Site } from "#domain/site.ts";
import { picture } from "../../tests/support/pictures.ts";
import { until } from "../../tests/support/until.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { sweepRegularly } from "./sweep.ts";

const hour = 60 * 60 * 1000;

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await world.close();
});

const upload = async () => void (await storeFeaturedPicture(world.site, world.maren, await picture()));
const left = async () => (await world.site.db.selectFrom("files").select("id").execute()).length;
const sweepOnce = async (site: Site) => (await sweepRegularly(site))();

test("at its start it sweeps what belongs to nothing, and spares what somebody may be working on", async () => {
  await upload();
  world.clock.advance(hour - 1);
  await sweepOnce(world.site);
  expect(await left()).toBe(1);
  world.clock.advance(1);
  await sweepOnce(world.site);
  expect(await left()).toBe(0);
});

test("every hour it sweeps what is older than one", async () => {
  const timers = vi.spyOn(globalThis, "setInterval");
  const end = await sweepRegularly(world.site);
  const [sweep, interval] = timers.mock.lastCall ?? [];
  expect(interval).toBe(hour);
  await upload();
  world.clock.advance(hour);
  await upload();
  sweep?.();
  await until(async () => expect(await left()).toBe(1));
  end();
});

test("a store that hangs, or a sweep that fails, doesn't keep the site from starting", async () => {
  await upload();
  const files = { ...world.site.files, deleteFolder: () => new Promise<void>(() => {}) };
  await expect(sweepOnce({ ...world.site, files })).resolves.toBeUndefined();
  const logged = vi.spyOn(world.site.log, "error");
  const selectFrom = () => {
    throw new Error("the database is away");
  };
  const db = { selectFrom } as unknown as Site["db"];
  await expect(sweepOnce({ ...world.site, db })).resolves.toBeUndefined();
  expect(logged).toHaveBeenCalledOnce();
});
