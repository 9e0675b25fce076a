import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { storeFeaturedPicture } from "#domain/files/post-files.server.ts";
import { createPost } from "#domain/posts/posts.server.ts";
import { countView } from "#domain/posts/views.server.ts";
import { listUsers } from "#domain/profiles/admin-users.server.ts";
import type { Site } from "#domain/site.ts";
import { DatabaseUnreachable } from "#platform/database/errors.ts";
import { picture } from "../../tests/support/pictures.ts";
import { until } from "../../tests/support/until.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { startSweep } from "./sweep.ts";

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
const sweepOnce = async (site: Site) => (await startSweep(site))();

test("at start it removes unattached files, except recent ones", async () => {
  await upload();
  world.clock.advance(hour - 1);
  await sweepOnce(world.site);
  expect(await left()).toBe(1);
  world.clock.advance(1);
  await sweepOnce(world.site);
  expect(await left()).toBe(0);
});

test("a failing sweep doesn't keep the others from running", async () => {
  await upload();
  world.clock.advance(hour);
  const { deleteFrom } = world.site.db;
  vi.spyOn(world.site.db, "deleteFrom").mockImplementation((from: unknown) => {
    if (from === "sessions") throw new Error("no sessions");
    return deleteFrom.call(world.site.db, from as "files") as never;
  });
  const errors = vi.spyOn(world.site.log, "error");
  await sweepOnce(world.site);
  expect(errors.mock.calls.map(([, text]) => text)).toEqual(["the cleanup of sessions failed"]);
  expect(await left()).toBe(0);
});

test("creates a profile that failed at sign-up", async () => {
  const { site, ruth, clock } = world;
  const kenji = await addMember(world, "Kenji Watanabe");
  await site.db.deleteFrom("profiles").where("userId", "=", kenji.id).execute();
  clock.advance(6 * 24 * hour);
  await sweepOnce(site);
  const { users, total } = await listUsers(site, ruth, { search: "", sort: "name", limit: 20, page: 1 });
  expect(users.map(({ name }) => name)).toContain(kenji.name);
  expect(users).toHaveLength(total);
});

test("every hour it removes those older than one hour", async () => {
  const timers = vi.spyOn(globalThis, "setInterval");
  const end = await startSweep(world.site);
  const [sweep, interval] = timers.mock.lastCall ?? [];
  expect(interval).toBe(hour);
  await upload();
  world.clock.advance(hour);
  await upload();
  sweep?.();
  await until(async () => expect(await left()).toBe(1));
  end();
});

test("removes devices, account activity, finished drafts and readers after the documented time", async () => {
  const { site, maren, clock } = world;
  const day = 24 * hour;
  const device = { userId: maren.id, browser: null, device: "Firefox on Linux", network: "192.0.2.0/24" };
  const [now, activity] = [site.now(), { userId: maren.id, kind: "sign-in", device: "", network: "" }];
  for (const [id, daysAgo] of Object.entries({ old: 401, lately: 399 }))
    await site.db
      .insertInto("known_devices")
      .values({ ...device, id, firstSeenAt: 0, lastSeenAt: now - daysAgo * day })
      .execute();
  for (const daysAgo of [181, 179])
    await site.db
      .insertInto("security_events")
      .values({ ...activity, at: now - daysAgo * day })
      .execute();
  const finished = { userId: maren.id, copyId: "a", writerCount: 1 };
  for (const daysAgo of [91, 89])
    await site.db
      .insertInto("finished_drafts")
      .values({ ...finished, writer: `${daysAgo}`, finishedAt: now - daysAgo * day })
      .execute();
  const { id: postId } = await createPost(site, maren, { title: "A", slug: "a", content: "", status: "active" }, await picture());
  await countView(site, world.tobias, { ip: "192.0.2.1", userAgent: null }, postId);
  clock.advance(hour);
  await sweepOnce(site);
  expect(await site.db.selectFrom("known_devices").select("id").execute()).toEqual([{ id: "lately" }]);
  expect(await site.db.selectFrom("security_events").select("at").where("kind", "=", "sign-in").execute()).toHaveLength(1);
  expect(await site.db.selectFrom("finished_drafts").select("writer").execute()).toEqual([{ writer: "89" }]);
  expect(await site.db.selectFrom("views").selectAll().execute()).toEqual([]);
});

test("the site starts even if the file store hangs or the sweep fails", async () => {
  await upload();
  const files = { ...world.site.files, deleteFolder: () => new Promise<void>(() => {}) };
  await expect(sweepOnce({ ...world.site, files })).resolves.toBeUndefined();
  const logged = vi.spyOn(world.site.log, "error");
  const selectFrom = () => {
    throw new DatabaseUnreachable("away");
  };
  const db = { selectFrom, deleteFrom: selectFrom } as unknown as Site["db"];
  await expect(sweepOnce({ ...world.site, db })).resolves.toBeUndefined();
  expect(logged).toHaveBeenCalledOnce();
});
