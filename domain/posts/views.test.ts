import { afterEach, beforeEach, expect, test } from "vitest";
import { picture } from "../../tests/support/pictures.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { transaction } from "../site.ts";
import { createPost } from "./posts.server.ts";
import { countView, viewWindowMs } from "./views.server.ts";

let world: World;
let id: string;
beforeEach(async () => {
  world = await openWorld();
  id = (await createPost(world.site, world.maren, { title: "A", slug: "a", content: "", status: "active" }, await picture())).id;
});
afterEach(() => world.close());

const home = { ip: "192.0.2.1", userAgent: "Browser/1" };
const views = async () => (await world.site.db.selectFrom("posts").select("views").executeTakeFirstOrThrow()).views;

test("a member is counted once in half an hour, then again", async () => {
  expect(await countView(world.site, world.tobias, home, id)).toBe(true);
  expect(await countView(world.site, world.tobias, { ...home, ip: "192.0.2.9" }, id)).toBe(false);
  expect(await views()).toBe(1);
  world.clock.advance(viewWindowMs);
  expect(await countView(world.site, world.tobias, home, id)).toBe(true);
  expect(await views()).toBe(2);
});

test("visitors of one network are counted once, for any user agent", async () => {
  await countView(world.site, null, home, id);
  await countView(world.site, null, { ...home, userAgent: "Browser/2" }, id);
  await countView(world.site, null, { ...home, userAgent: null }, id);
  expect(await views()).toBe(1);
  await countView(world.site, null, { ...home, ip: "192.0.2.2" }, id);
  await countView(world.site, null, { ...home, ip: "2001:db8::1" }, id);
  await countView(world.site, null, { ...home, ip: "2001:db8::2" }, id);
  expect(await views()).toBe(3);
});

test("parallel views are counted exactly", async () => {
  const people = Array.from({ length: 20 }, (_, index) => ({ ...home, ip: `192.0.2.${index % 10}` }));
  await Promise.all(people.map((origin) => countView(world.site, null, origin, id)));
  expect(await views()).toBe(10);
});

test("drafts and unknown stories are not counted", async () => {
  expect(await countView(world.site, null, home, "nothing")).toBe(false);
  await world.site.db.updateTable("posts").set({ status: "inactive" }).execute();
  expect(await countView(world.site, world.maren, home, id)).toBe(false);
  expect(await views()).toBe(0);
});

test("a view during deletion is not counted and is no error", async () => {
  const [deleted, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const deletion = transaction(world.site, async (tx) => {
    await tx.db.deleteFrom("posts").where("id", "=", id).execute();
    deleted.resolve();
    await mayEnd.promise;
  });
  await deleted.promise;
  const counted = countView(world.site, null, home, id);
  setTimeout(mayEnd.resolve, 200);
  await deletion;
  expect(await counted).toBe(false);
});

test("no address is stored", async () => {
  await countView(world.site, null, home, id);
  const rows = JSON.stringify(await world.site.db.selectFrom("views").selectAll().execute());
  expect(rows).not.toContain(home.ip);
});
