import { afterEach, beforeEach, expect, test } from "vitest";
import { days, hours } from "#platform/time.ts";
import { openWorld, signIn, type World } from "../../../tests/support/world.ts";
import { requestRecovery } from "../recovery.server.ts";
import { sweepSessions } from "./sessions.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const count = async (table: "sessions" | "session_verifications" | "verifications") =>
  (await world.site.db.selectFrom(table).selectAll().execute()).length;

test("expired sessions are removed with their data", async () => {
  await signIn(world, world.ruth, { reauthenticated: true });
  world.clock.advance(days(29));
  const { member } = await signIn(world, world.maren);
  await sweepSessions(world.site);
  expect([await count("sessions"), await count("session_verifications")]).toEqual([2, 1]);
  world.clock.advance(days(1));
  await sweepSessions(world.site);
  expect([await count("sessions"), await count("session_verifications")]).toEqual([1, 0]);
  expect((await world.site.db.selectFrom("sessions").select("id").execute())[0]?.id).toBe(member.sessionId);
});

test("expired links are removed", async () => {
  await requestRecovery(world.site, { ip: "192.0.2.7", userAgent: null }, world.maren.email);
  await expect.poll(() => count("verifications")).toBe(1);
  await sweepSessions(world.site);
  expect(await count("verifications")).toBe(1);
  world.clock.advance(hours(2));
  await sweepSessions(world.site);
  expect(await count("verifications")).toBe(0);
});

test("the sweep removes more than one batch", async () => {
  const date = new Date(world.site.now()).toISOString();
  const of = (n: number) => ({ id: `link-${n}`, identifier: `link-${n}`, value: "", expiresAt: date, createdAt: date, updatedAt: date });
  for (let from = 0; from < 2_500; from += 500)
    await world.site.db
      .insertInto("verifications")
      .values(Array.from({ length: 500 }, (_, n) => of(from + n)))
      .execute();
  await sweepSessions(world.site);
  expect(await count("verifications")).toBe(0);
});
