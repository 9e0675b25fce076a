import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openWorld, type World } from "../../tests/support/world.ts";
import { prepareQuery } from "./prepared.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test("a query is built once, and each call has its own values", async () => {
  const build = vi.fn(({ db }, { id, name }: { id: string; name: string }) =>
    (db as World["site"]["db"])
      .selectFrom("users")
      .select(["id", sql<string>`${name} || cast(${"1"} as text) || ${name}`.as("label")])
      .where("id", "=", id),
  );
  const query = prepareQuery(build);
  const { maren, tobias } = world;
  expect(await query(world.site, { id: maren.id, name: "'; drop table users" })).toEqual([
    { id: maren.id, label: "'; drop table users1'; drop table users" },
  ]);
  const [one, other] = await Promise.all([maren, tobias].map(({ id }) => query(world.site, { id, name: "" })));
  expect([one, other]).toEqual([[{ id: maren.id, label: "1" }], [{ id: tobias.id, label: "1" }]]);
  expect(await query(world.site, { id: "no one", name: "" })).toEqual([]);
  expect(build).toHaveBeenCalledTimes(1);
});
