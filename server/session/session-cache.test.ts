import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { deleteAccount } from "#domain/account-deletion/delete-account.server.ts";
import { signOut } from "#domain/accounts/accounts.server.ts";
import { signOutDevices } from "#domain/accounts/sign-in/devices.server.ts";
import { changePassword } from "#domain/accounts/sign-in/passwords.server.ts";
import { grantRole, revokeRole } from "#domain/accounts/staff-roles.server.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { suspendMember } from "#domain/moderation/suspensions.server.ts";
import { undoModerationAction } from "#domain/moderation/undo.server.ts";
import { updateProfile } from "#domain/profiles/profiles.server.ts";
import type { Member, Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { watchQueries } from "../../tests/support/queries.ts";
import { until } from "../../tests/support/until.ts";
import { openWorld, password, signIn, type World } from "../../tests/support/world.ts";
import { findViewer } from "./session.ts";

const day = 24 * 60 * 60 * 1000;

const origin = { ip: "192.0.2.7", userAgent: null };

let world: World;
/** The same site as in another process: it shares only the database. */
let other: Site;
let cookie: string;
let maren: Member;
beforeEach(async () => {
  world = await openWorld();
  other = { ...(await openSite(readConfig(world.environment), createLog("silent"))), now: () => Date.now() };
  ({ cookie, member: maren } = await signIn(world, world.maren));
});
afterEach(async () => {
  await closeSite(other);
  await world.close();
});

const places = () => [["by the same process", world.site] as const, ["by another one", other] as const];
/** Reads the session twice in each process, so that both have it cached. */
const cacheInBoth = async (which = cookie) => {
  for (const [, site] of places()) for (let times = 0; times < 2; times++) expect(await findViewer(site, which)).not.toBeNull();
};
/** The viewers of both processes, read at the same time. */
const viewersOfBoth = (which = cookie) => Promise.all(places().map(([, site]) => findViewer(site, which)));

const profile = { userName: "M. Oduya", bio: "", location: "", website: "", twitter: "", github: "", linkedIn: "" };

describe("a cached session", () => {
  test.each([
    ["signing out", (site: Site) => signOut(site, maren)],
    [
      "ending all other devices, from another one",
      async (site: Site) => signOutDevices(site, (await signIn(world, world.maren)).member, origin, "all others"),
    ],
    [
      "ending this device, from another one",
      async (site: Site) => signOutDevices(site, (await signIn(world, world.maren)).member, origin, { id: maren.sessionId ?? "" }),
    ],
    [
      "a new password, set on another device",
      async (site: Site) => changePassword(site, (await signIn(world, world.maren)).member, origin, { current: password, password }),
    ],
    ["deleting the account", (site: Site) => deleteAccount(site, maren, password)],
    [
      "a removed row",
      (site: Site) =>
        site.db
          .deleteFrom("sessions")
          .where("id", "=", maren.sessionId ?? "")
          .execute(),
    ],
  ])("ends at once with %s, in this process and in every other", async (_what, end) => {
    for (const [, site] of places()) {
      const session = await signIn(world, world.maren);
      ({ cookie, member: maren } = session);
      await cacheInBoth();
      await end(site);
      expect(await viewersOfBoth()).toEqual([null, null]);
      if (!(await world.site.db.selectFrom("users").select("id").where("id", "=", maren.id).executeTakeFirst())) break;
    }
  });

  test("is suspended at once, and no longer once the suspension is lifted or over", async () => {
    for (const [, site] of places()) {
      await cacheInBoth();
      await suspendMember(site, world.ruth, maren.id, { days: 3, reason: "Insults" });
      for (const viewer of await viewersOfBoth()) expect(viewer?.suspendedUntil).toBe(Date.now() + 3 * day);
      const { actionId } = await site.db.selectFrom("suspensions").select("actionId").executeTakeFirstOrThrow();
      await undoModerationAction(site, world.ruth, actionId);
      for (const viewer of await viewersOfBoth()) expect(viewer?.suspendedUntil).toBeNull();
    }
    await suspendMember(world.site, world.ruth, maren.id, { days: 3, reason: "Insults" });
    await cacheInBoth();
    world.clock.advance(3 * day);
    for (const viewer of await viewersOfBoth()) expect(viewer?.suspendedUntil).toBeNull();
  });

  test("has the role of an administrator exactly while it is granted", async () => {
    for (const [, site] of places()) {
      await cacheInBoth();
      await grantRole(site, null, maren.email, "administrator");
      for (const viewer of await viewersOfBoth()) expect(viewer?.staff).toBe("administrator");
      await revokeRole(site, null, maren.email);
      for (const viewer of await viewersOfBoth()) expect(viewer?.staff).toBe(null);
    }
  });

  test("has the profile's current name", async () => {
    await cacheInBoth();
    await updateProfile(other, maren, profile, "keep");
    for (const viewer of await viewersOfBoth()) expect(viewer?.name).toBe("M. Oduya");
  });

  test("expires as usual", async () => {
    world.clock.advance(29 * day);
    await cacheInBoth();
    world.clock.advance(day);
    expect(await viewersOfBoth()).toEqual([null, null]);
  });

  test("is not used during an outage of the database", async () => {
    const third = await openSite(readConfig(world.environment), createLog("silent"));
    expect(await findViewer(third, cookie)).not.toBeNull();
    await closeSite(third);
    await expect(findViewer(third, cookie)).rejects.toThrow();
  });

  test("is read again after each commit, and only then", async () => {
    const { site, queries } = watchQueries(world.site);
    const reads = () => queries.filter(({ sql }) => sql.includes("sessions")).length;
    // On PostgreSQL commits in other databases of the server count too, and other tests write to theirs.
    await until(async () => {
      await findViewer(site, cookie);
      const before = reads();
      await Promise.all(Array.from({ length: 20 }, () => findViewer(site, cookie)));
      expect(reads()).toBe(before);
    });
    const before = reads();
    await other.db.insertInto("attempts").values({ kind: "a", subject: "", network: "", count: 1, endsAt: 1 }).execute();
    await findViewer(site, cookie);
    expect(reads()).toBe(before + 1);
  });
});

test("unknown tokens are not cached", async () => {
  const { cookie: gone, member } = await signIn(world, world.tobias);
  await world.site.db
    .deleteFrom("sessions")
    .where("id", "=", member.sessionId ?? "")
    .execute();
  expect(await viewersOfBoth(gone)).toEqual([null, null]);
  const row = await signIn(world, world.tobias);
  expect((await viewersOfBoth(row.cookie)).map((viewer) => viewer?.id)).toEqual([world.tobias.id, world.tobias.id]);
});

test("on SQLite, messages don't invalidate a cached session", async () => {
  if (world.site.engine === "postgres") return;
  await cacheInBoth();
  const { site, queries } = watchQueries(world.site);
  await sendMessage(world.site, world.tobias, { to: maren.id, text: "Hello", sendId: "1" });
  expect(await findViewer(site, cookie)).not.toBeNull();
  expect(queries.filter(({ sql }) => sql.includes("sessions"))).toEqual([]);
  await updateProfile(world.site, maren, profile, "keep");
  expect((await findViewer(site, cookie))?.name).toBe("M. Oduya");
});
