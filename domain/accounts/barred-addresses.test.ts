import { afterEach, beforeEach, expect, test } from "vitest";
import { deleteAccount } from "#domain/account-deletion/delete-account.server.ts";
import { suspendMember } from "#domain/moderation/suspensions.server.ts";
import { sweepDeleted } from "#domain/moderation/sweep-deleted.server.ts";
import { formPost, openWeb } from "../../tests/support/web.ts";
import { openWorld, password, type World } from "../../tests/support/world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const signUp = async (email: string) => {
  const secret = "three lamps in one window";
  return (await openWeb(world).request("/signup", formPost({ name: "Tobias", email, password: secret, confirmPassword: secret }))).status;
};

test("a suspended member can't sign up again until the suspension ends", async () => {
  const { site, ruth, tobias, clock } = world;
  await suspendMember(site, ruth, tobias.id, { days: 7, reason: "why" });
  await deleteAccount(site, tobias, password);
  for (const email of ["tobias@example.com", "Tobias@Example.com", "tobias+again@example.com"]) expect(await signUp(email)).toBe(422);
  expect(JSON.stringify(await site.db.selectFrom("barred_addresses").selectAll().execute())).not.toContain("tobias");
  clock.advance(7 * 24 * 60 * 60_000);
  await sweepDeleted(site);
  expect(await site.db.selectFrom("barred_addresses").selectAll().execute()).toEqual([]);
  expect(await signUp("tobias@example.com")).toBe(302);
});

test("an unconfirmed address, which may be a stranger's, isn't barred", async () => {
  const { site, ruth, salma } = world;
  await suspendMember(site, ruth, salma.id, { days: 7, reason: "why" });
  await deleteAccount(site, salma, password);
  expect(await signUp(salma.email)).toBe(302);
});

test("a member who wasn't suspended can sign up again", async () => {
  await deleteAccount(world.site, world.tobias, password);
  expect(await signUp("tobias@example.com")).toBe(302);
});
