import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type SecondStep, signIn } from "#domain/accounts/accounts.server.ts";
import { readOwnAccount } from "#domain/accounts/own-account.server.ts";
import { detailsOf } from "#domain/refusals.ts";
import { findAndRenewSession } from "#server/session/session.ts";
import { codeOf } from "../../../tests/support/totp.ts";
import { signIn as openSession, openWorld, password, type World } from "../../../tests/support/world.ts";
import { removeSecondStepManually } from "../security/remove-second-step.server.ts";
import { createAuth } from "./auth.server.ts";
import { readPasskeys } from "./passkey-reads.server.ts";
import { signInWithPasskey, startPasskey, startPasskeySignIn } from "./passkeys.server.ts";
import { changePassword } from "./passwords.server.ts";
import { confirmAuthenticator, finishSignIn, renewBackupCodes, startAuthenticator, stopAuthenticator } from "./second-step.server.ts";

const browser = { ip: "192.0.2.7", userAgent: "Firefox" };

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

/** Like a browser's cookies: the newest of a name counts. */
const jar = (...cookies: string[]) => {
  const kept = new Map(cookies.map((cookie) => cookie.split(";")[0] ?? "").map((each) => [each.split("=")[0], each]));
  return [...kept.values()].join("; ");
};

const enter = () => signIn(world.site, browser, { email: world.maren.email, password });
const secondStep = async () => {
  const error = await enter().catch((thrown: unknown) => thrown);
  const step = detailsOf<SecondStep>(error, "second-step");
  if (!step) throw error;
  return { ...browser, cookie: jar(...step.cookies) };
};
const now = () => world.site.now();

/** Maren with an authenticator app. */
async function setUp() {
  const { cookie, member } = await openSession(world, world.maren);
  const made = await startAuthenticator(world.site, member, { ...browser, cookie }, password);
  const cookies = await confirmAuthenticator(world.site, member, { ...browser, cookie }, codeOf(made.uri, now()));
  const origin = { ...browser, cookie: jar(...cookies) };
  const { viewer } = await findAndRenewSession(world.site, origin.cookie);
  // The app shows the next code.
  world.clock.advance(30_000);
  return { ...made, origin, viewer };
}

describe("an authenticator app", () => {
  test("is required only after its first code was verified", async () => {
    const { cookie, member } = await openSession(world, world.maren);
    const origin = { ...browser, cookie };
    const { uri, backupCodes } = await startAuthenticator(world.site, member, origin, password);
    expect(uri).toMatch(/^otpauth:\/\/totp\/Inkstead:maren%40example.com\?/);
    expect(backupCodes).toHaveLength(10);
    expect((await enter()).user.id).toBe(member.id);
    await expect(confirmAuthenticator(world.site, member, origin, "000000")).rejects.toMatchObject({ code: "invalid", field: "code" });
    await confirmAuthenticator(world.site, member, origin, codeOf(uri, now()));
    await secondStep();
    expect(world.emails.map(({ subject }) => subject)).toEqual(["Two-step verification turned on (Inkstead)"]);
  });

  test("set up under another SECRET fails with an explanation; the password still works", async () => {
    const { uri, backupCodes } = await setUp();
    const { db, engine, url, settings, log, now: clock } = world.site;
    const secret = "another secret, as after a restore";
    const auth = createAuth({ db, engine, url, settings, log, now: clock, secret, sendEmail: async () => {} });
    Object.assign(world.site, { auth, secret });
    for (const code of [codeOf(uri, now()), backupCodes[0] ?? ""])
      await expect(finishSignIn(world.site, await secondStep(), { code, trust: false })).rejects.toMatchObject({
        code: "invalid",
        message: expect.stringContaining("ask the site’s operator"),
      });
    await removeSecondStepManually(world.site, world.maren.email);
    expect((await enter()).user.id).toBe(world.maren.id);
  });

  test("requires the password to be turned on or off", async () => {
    const { cookie, member } = await openSession(world, world.maren);
    const wrong = startAuthenticator(world.site, member, { ...browser, cookie }, "wrong one");
    await expect(wrong).rejects.toMatchObject({ code: "invalid", field: "password" });
    const { origin, viewer } = await setUp();
    await expect(stopAuthenticator(world.site, viewer, origin, "wrong one")).rejects.toMatchObject({ field: "password" });
    await stopAuthenticator(world.site, viewer, origin, password);
    expect((await enter()).user.id).toBe(world.maren.id);
  });

  test("its code completes the sign-in, in any usual format", async () => {
    const { uri } = await setUp();
    const code = codeOf(uri, now());
    const cookies = await finishSignIn(world.site, await secondStep(), { code: `${code.slice(0, 3)} ${code.slice(3)}`, trust: false });
    expect((await findAndRenewSession(world.site, jar(...cookies))).viewer?.id).toBe(world.maren.id);
  });

  test("a code works once, including the one that set it up", async () => {
    const { uri } = await setUp();
    const finish = async (time: number) => finishSignIn(world.site, await secondStep(), { code: codeOf(uri, time), trust: false });
    const used = { code: "invalid", message: "That code was already used. Sign in again with the next one." };
    await expect(finish(now() - 30_000)).rejects.toMatchObject(used);
    await finish(now());
    const before = await world.site.db.selectFrom("sessions").select("id").execute();
    await expect(finish(now())).rejects.toMatchObject(used);
    expect(await world.site.db.selectFrom("sessions").select("id").execute()).toEqual(before);
    const next = await Promise.allSettled([finish(now() + 30_000), finish(now() + 30_000)]);
    expect(next.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("wrong codes are rejected, and after five the password is required again", async () => {
    const { uri } = await setUp();
    const origin = await secondStep();
    const wrong = codeOf(uri, now() - 3_600_000) === codeOf(uri, now()) ? "123456" : codeOf(uri, now() - 3_600_000);
    for (let i = 0; i < 5; i++)
      await expect(finishSignIn(world.site, origin, { code: wrong, trust: false })).rejects.toMatchObject({ field: "code" });
    const late = finishSignIn(world.site, origin, { code: codeOf(uri, now()), trust: false });
    await expect(late).rejects.toMatchObject({ code: "invalid", message: "That took too long. Please sign in again." });
  });

  test("ten wrong codes lock the second step, across new sign-ins", async () => {
    const { uri } = await setUp();
    for (let round = 0; round < 2; round++) {
      const origin = await secondStep();
      for (let i = 0; i < 5; i++) await finishSignIn(world.site, origin, { code: "abcde-fghij", trust: false }).catch(() => undefined);
    }
    const right = async () => finishSignIn(world.site, await secondStep(), { code: codeOf(uri, now()), trust: false });
    await expect(right()).rejects.toMatchObject({ code: "too-many" });
    world.clock.advance(16 * 60_000);
    expect(await right()).not.toEqual([]);
  });

  test("requires the first step", async () => {
    const { uri } = await setUp();
    const late = finishSignIn(world.site, browser, { code: codeOf(uri, now()), trust: false });
    await expect(late).rejects.toMatchObject({ message: "That took too long. Please sign in again." });
  });

  test("is skipped for 30 days in a trusted browser", async () => {
    const { uri } = await setUp();
    const cookies = await finishSignIn(world.site, await secondStep(), { code: codeOf(uri, now()), trust: true });
    const trusted = { ...browser, cookie: jar(...cookies) };
    const again = () => signIn(world.site, trusted, { email: world.maren.email, password });
    expect((await again()).user.id).toBe(world.maren.id);
  });
});

describe("backup codes", () => {
  test("each works once", async () => {
    const { backupCodes } = await setUp();
    const [code = ""] = backupCodes;
    expect(await finishSignIn(world.site, await secondStep(), { code: ` ${code} `, trust: false })).not.toEqual([]);
    await expect(finishSignIn(world.site, await secondStep(), { code, trust: false })).rejects.toMatchObject({ field: "code" });
  });

  test("new ones replace the old ones", async () => {
    const { backupCodes, origin, viewer } = await setUp();
    const renewed = await renewBackupCodes(world.site, viewer, origin, password);
    expect(renewed).toHaveLength(10);
    const old = finishSignIn(world.site, await secondStep(), { code: String(backupCodes[0]), trust: false });
    await expect(old).rejects.toMatchObject({ field: "code" });
    expect(await finishSignIn(world.site, await secondStep(), { code: String(renewed[0]), trust: false })).not.toEqual([]);
  });

  test("neither codes nor the secret are readable in the database", async () => {
    const { uri, backupCodes } = await setUp();
    const rows = JSON.stringify(await world.site.db.selectFrom("two_factors").selectAll().execute());
    for (const secret of [...backupCodes, new URL(uri).searchParams.get("secret") ?? ""]) expect(rows).not.toContain(secret);
  });
});

describe("passkeys", () => {
  test("adding one requires the password", async () => {
    const { cookie, member } = await openSession(world, world.maren);
    const origin = { ...browser, cookie };
    await expect(startPasskey(world.site, member, origin, "wrong one")).rejects.toMatchObject({ field: "password" });
    const { options, cookies } = await startPasskey(world.site, member, origin, password);
    expect(options).toMatchObject({
      rp: { id: "inkstead.test", name: "Inkstead" },
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    expect(cookies.join()).toContain("HttpOnly");
    expect(await readPasskeys(world.site.db, member.id)).toEqual([]);
    expect((await readOwnAccount(world.site, member)).secondStep).toBe(false);
  });

  test.each([{}, null, { id: "nobody's" }, { id: "x", response: { clientDataJSON: "e30" } }])(
    "a forged answer is rejected: %j",
    async (made) => {
      const { cookies } = await startPasskeySignIn(world.site, browser);
      const signingIn = signInWithPasskey(world.site, { ...browser, cookie: jar(...cookies) }, made);
      await expect(signingIn).rejects.toMatchObject({ code: "invalid", message: "We couldn’t use that passkey. Please try again." });
    },
  );
});

test("emails to unconfirmed addresses don't use the name", async () => {
  const { site, maren } = world;
  site.settings.requireEmailVerification = false;
  await site.db.updateTable("users").set({ emailVerified: false }).where("id", "=", maren.id).execute();
  const { cookie, member } = await openSession(world, maren);
  await changePassword(site, member, { ...browser, cookie }, { current: password, password: "a door in the hill" });
  expect(world.emails.at(-1)?.text).toMatch(/^Hello,\n/);
  await site.db.updateTable("users").set({ emailVerified: true }).where("id", "=", maren.id).execute();
  await changePassword(site, member, { ...browser, cookie }, { current: "a door in the hill", password: "a lamp in the hill" });
  expect(world.emails.at(-1)?.text).toMatch(/^Hello Maren/);
});
