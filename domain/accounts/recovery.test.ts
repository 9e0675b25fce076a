import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Member } from "#domain/site.ts";
import { findAndRenewSession } from "#server/session/session.ts";
import { until } from "../../tests/support/until.ts";
import { signIn as openSession, openWorld, password, type World } from "../../tests/support/world.ts";
import { signIn } from "./accounts.server.ts";
import { createApiKey } from "./api-keys/api-keys.server.ts";
import { isRecoveryTokenValid, requestRecovery, resetPassword } from "./recovery.server.ts";
import { changePassword } from "./sign-in/passwords.server.ts";

const origin = { ip: "192.0.2.7", userAgent: null };
const fresh = "a door in the hill";
const expired = { code: "invalid", message: "This link has expired or was already used. Request a new one." };

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

async function mailedToken(): Promise<string> {
  await requestRecovery(world.site, origin, world.maren.email);
  await until(() => expect(world.emails).not.toEqual([]));
  return /token=(\S+)/.exec(world.emails.at(-1)?.text ?? "")?.[1] ?? "";
}

const signInWith = (chosen: string) => signIn(world.site, origin, { email: world.maren.email, password: chosen });

describe("requesting recovery", () => {
  test("sends a link", async () => {
    await mailedToken();
    expect(world.emails[0]).toMatchObject({ to: world.maren.email, subject: "Reset your Inkstead password" });
  });

  test("answers the same for an unknown address", async () => {
    expect(await requestRecovery(world.site, origin, "nobody@example.com")).toBe(
      await requestRecovery(world.site, origin, world.maren.email),
    );
    await until(() => expect(world.emails).toHaveLength(1));
  });

  test("answers before the email is sent", async () => {
    let hangUp = () => {};
    const hanging = new Promise<void>((resolve) => (hangUp = resolve));
    const mail = { delivers: true, send: () => hanging };
    const { internalAdapter } = await world.site.auth.$context;
    const stored = vi.spyOn(internalAdapter, "createVerificationValue");
    Object.assign(world.site.mail, mail);
    await requestRecovery(world.site, origin, world.maren.email);
    await until(() => expect(stored).toHaveBeenCalled());
    hangUp();
  });

  test("is limited to five emails an hour, without revealing it", async () => {
    for (const email of [world.maren.email, "nobody@example.com"])
      for (let i = 0; i < 8; i++) expect(await requestRecovery(world.site, origin, email)).toBeUndefined();
    await until(() => expect(world.emails).toHaveLength(5));
  });

  test("one network can't block the owner's emails", async () => {
    for (let i = 0; i < 40; i++) await requestRecovery(world.site, origin, world.maren.email);
    await until(() => expect(world.emails).toHaveLength(5));
    await requestRecovery(world.site, { ...origin, ip: "198.51.100.4" }, world.maren.email);
    await until(() => expect(world.emails).toHaveLength(6));
  });

  test("many networks can't flood a mailbox", async () => {
    for (let i = 0; i < 30; i++) await requestRecovery(world.site, { ...origin, ip: `198.51.100.${i}` }, world.maren.email);
    await until(() => expect(world.emails).toHaveLength(20));
  });

  test("links can't be reconstructed from the database", async () => {
    const token = await mailedToken();
    const rows = await world.site.db.selectFrom("verifications").selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(await isRecoveryTokenValid(world.site, token)).toBe(true);
    for (const { identifier } of rows) expect(await isRecoveryTokenValid(world.site, identifier)).toBe(false);
  });
});

describe("choosing a new password", () => {
  test("replaces the old one and ends all sessions", async () => {
    const { cookie } = await openSession(world, world.maren);
    await resetPassword(world.site, origin, await mailedToken(), fresh);
    await signInWith(fresh);
    await expect(signInWith(password)).rejects.toMatchObject({ code: "invalid" });
    expect((await findAndRenewSession(world.site, cookie)).viewer).toBeNull();
  });

  test("a common password is rejected, and the link stays valid", async () => {
    const token = await mailedToken();
    await expect(resetPassword(world.site, origin, token, "sunshine1")).rejects.toMatchObject({ code: "invalid", field: "password" });
    await expect(resetPassword(world.site, origin, token, "Maren Oduya 7")).rejects.toMatchObject({ code: "invalid", field: "password" });
    await resetPassword(world.site, origin, token, fresh);
  });

  test("a link works once", async () => {
    const token = await mailedToken();
    expect(await isRecoveryTokenValid(world.site, token)).toBe(true);
    await resetPassword(world.site, origin, token, fresh);
    expect(await isRecoveryTokenValid(world.site, token)).toBe(false);
    await expect(resetPassword(world.site, origin, token, "another one")).rejects.toMatchObject(expired);
    await signInWith(fresh);
  });

  test("of two concurrent uses one succeeds", async () => {
    const token = await mailedToken();
    const results = await Promise.allSettled([fresh, "another one"].map((chosen) => resetPassword(world.site, origin, token, chosen)));
    expect(results.map((result) => result.status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("a link works for an hour", async () => {
    const token = await mailedToken();
    world.clock.advance(61 * 60_000);
    expect(await isRecoveryTokenValid(world.site, token)).toBe(false);
    await expect(resetPassword(world.site, origin, token, fresh)).rejects.toMatchObject(expired);
  });

  test.each(["", "nonsense"])("the token %j is rejected", async (token) => {
    await expect(resetPassword(world.site, origin, token, fresh)).rejects.toMatchObject(expired);
  });

  test("is atomic: if sessions can't be ended, the old password and the link still work", async () => {
    await openSession(world, world.maren);
    const token = await mailedToken();
    await world.site.db.schema.alterTable("sessions").renameTo("elsewhere").execute();
    await expect(resetPassword(world.site, origin, token, fresh)).rejects.toThrow();
    await world.site.db.schema.alterTable("elsewhere").renameTo("sessions").execute();
    await signInWith(password);
    await resetPassword(world.site, origin, token, fresh);
  });
});

/** The person in a session, and what the intruder in it tries while the owner recovers the account. */
async function recoverDuring(intrusion: (thief: Member) => Promise<unknown>) {
  const { member } = await openSession(world, world.maren);
  const token = await mailedToken();
  const settled = await Promise.allSettled([intrusion(member), resetPassword(world.site, origin, token, fresh)]);
  return settled.map(({ status }) => status);
}

describe("a recovery at the same time", () => {
  test("and a new password: one of them counts", async () => {
    const chosen = "of the thief, at the same time";
    const [changed, recovered] = await recoverDuring((thief) =>
      changePassword(world.site, thief, origin, { current: password, password: chosen }),
    );
    expect([changed, recovered].toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await signInWith(changed === "fulfilled" ? chosen : fresh)).user.id).toBe(world.maren.id);
  });

  test("leaves no API key behind", async () => {
    const wanted = { name: "Thief", scopes: ["read" as const], days: 30, password };
    const [, recovered] = await recoverDuring((thief) =>
      Promise.all(Array.from({ length: 8 }, () => createApiKey(world.site, thief, origin, wanted))),
    );
    expect(recovered).toBe("fulfilled");
    expect(await world.site.db.selectFrom("api_keys").select("name").execute()).toEqual([]);
  });
});
