import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { signIn } from "#domain/accounts/accounts.server.ts";
import { confirmationToken, confirmEmail, readConfirmation } from "#domain/accounts/confirmation.server.ts";
import { changePassword } from "#domain/accounts/sign-in/passwords.server.ts";
import { recordSignIn } from "#domain/accounts/sign-in/record-sign-in.server.ts";
import { truncateNetwork } from "#domain/limits/rate-limits.server.ts";
import { transaction } from "#domain/site.ts";
import { findAndRenewSession } from "#server/session/session.ts";
import { plansOf } from "../../../tests/support/query-plans.ts";
import { until } from "../../../tests/support/until.ts";
import { signIn as openSession, openWorld, password, type World } from "../../../tests/support/world.ts";
import { readNotMe } from "./not-me.server.ts";
import { notMeLink, readNotMeClaim } from "./not-me-links.server.ts";
import { listSecurityEvents, recordSecurityEvent } from "./security-log.server.ts";
import { resetSecurity, revokeVerifications } from "./security-state.server.ts";
import { readReview, reviewToken } from "./sign-in-methods.server.ts";

const origin = { ip: "192.0.2.7", userAgent: "Firefox" };
const dayMs = 24 * 60 * 60 * 1000;

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const reset = (userId: string, keepSession?: string | null) =>
  transaction(world.site, (tx) => resetSecurity(tx, userId, { keepSession: keepSession ?? null }));

describe("resetting an account's security", () => {
  test("ends all other sessions of this account only", async () => {
    const [here, there, other] = [
      await openSession(world, world.maren),
      await openSession(world, world.maren),
      await openSession(world, world.ruth),
    ];
    await reset(world.maren.id, here.member.sessionId);
    const who = await Promise.all(
      [here, there, other].map(async ({ cookie }) => (await findAndRenewSession(world.site, cookie)).viewer?.id ?? null),
    );
    expect(who).toEqual([world.maren.id, null, world.ruth.id]);
    await reset(world.maren.id);
    expect((await findAndRenewSession(world.site, here.cookie)).viewer).toBeNull();
  });

  test("deletes the account's verifications by its whole id", async () => {
    const { internalAdapter } = await world.site.auth.$context;
    const part = world.maren.id.slice(0, 3);
    const challenge = (id: string) =>
      JSON.stringify({ type: "registration", expectedChallenge: "x", userData: { id, name: world.maren.id } });
    const kept = [part, `${world.maren.id}-more`, challenge(part), challenge(`${world.maren.id}0`), '{"type":"registration"broken'];
    for (const [index, value] of [...kept, world.maren.id, challenge(world.maren.id)].entries())
      await internalAdapter.createVerificationValue({ identifier: `each-${index}`, value, expiresAt: new Date(world.site.now() + dayMs) });
    await reset(world.maren.id);
    const rows = await world.site.db.selectFrom("verifications").select("value").execute();
    expect(rows.map(({ value }) => value).sort()).toEqual([...kept].sort());
  });

  test("finds them by indexes", async () => {
    const plans = await plansOf(world.site, (site) =>
      revokeVerifications({ ...site, publish() {}, beforeCommit() {} } as never, world.maren.id),
    );
    expect(plans.filter((step) => /^SCAN verifications|Seq Scan on verifications/.test(step))).toEqual([]);
    expect(plans.join()).toContain("verifications_challenge");
    expect(plans.join()).toContain("verifications_owner");
  });

  test("voids links with an older epoch; links without one are valid until it rises", async () => {
    const { salma, site } = world;
    const [old, review] = [await confirmationToken(site, salma), await reviewToken(site, { userId: salma.id, epoch: 0 })];
    expect(await readConfirmation(site, old)).toMatchObject({ userId: salma.id });
    expect(await readReview(site, review)).not.toBeNull();
    await reset(salma.id);
    await expect(confirmEmail(site, old)).rejects.toMatchObject({ code: "invalid" });
    expect(await readReview(site, review)).toBeNull();
    await confirmEmail(site, await confirmationToken(site, salma));
  });

  test("rejects a sign-in whose password was checked before, and ends its session", async () => {
    const { cookie } = await openSession(world, world.maren);
    const token = decodeURIComponent(cookie).split("=")[1]?.split(".")[0] ?? "";
    const kept = await openSession(world, world.maren);
    await world.site.db.updateTable("users").set({ securityEpoch: 1 }).where("id", "=", world.maren.id).execute();
    await expect(recordSignIn(world.site, origin, { userId: world.maren.id, token, epoch: 0 })).rejects.toMatchObject({ code: "invalid" });
    expect((await findAndRenewSession(world.site, cookie)).viewer).toBeNull();
    expect((await findAndRenewSession(world.site, kept.cookie)).viewer?.id).toBe(world.maren.id);
  });

  test("links can't be used for another purpose", async () => {
    const { maren, site } = world;
    const link = await notMeLink(site, { kind: "sign-in", id: "x", userId: maren.id, to: maren.email });
    const token = decodeURIComponent(link.split("token=")[1] ?? "");
    expect(await readNotMeClaim(site, token)).toMatchObject({ to: maren.email });
    expect(await readConfirmation(site, token)).toBeNull();
    expect(await readReview(site, token)).toBeNull();
    expect(await readNotMeClaim(site, await confirmationToken(site, maren))).toBeNull();
  });
});

describe("devices and the log", () => {
  const signInFrom = (network: number) =>
    recordSignIn(world.site, { ip: `10.0.${network}.1`, userAgent: "Firefox" }, { userId: world.maren.id, token: "none" });
  const networks = async () =>
    (await world.site.db.selectFrom("known_devices").select("network").where("userId", "=", world.maren.id).execute()).map(
      ({ network }) => network,
    );

  test("20 devices are remembered per account for longer than a week, and emails about new ones are limited", async () => {
    for (let network = 0; network < 25; network++) await signInFrom(network);
    expect(await networks()).toHaveLength(25);
    await until(() => expect(world.emails).toHaveLength(10));
    world.clock.advance(7 * dayMs);
    await signInFrom(25);
    expect(await networks()).toHaveLength(20);
  });

  test("an intruder can't void a link about a sign-in with further sign-ins", async () => {
    await signInFrom(0);
    await signInFrom(1);
    await until(() => expect(world.emails).toHaveLength(1));
    const [, token = ""] = /token=(\S+)/.exec(world.emails[0]?.text ?? "") ?? [];
    for (let network = 2; network < 202; network++) {
      world.clock.advance(1000);
      await signInFrom(network);
    }
    expect(await networks()).toHaveLength(200);
    expect(await readNotMe(world.site, decodeURIComponent(token))).toMatchObject({ kind: "sign-in", network: "10.0.1.0/24" });
  });

  test("an outage of the mail server or the log doesn't block sign-ins", async () => {
    const { maren, site } = world;
    await signIn(site, origin, { email: maren.email, password });
    const mail = { ...site.mail, send: () => Promise.reject(new Error("no mail today")) };
    await signIn({ ...site, mail }, { ...origin, ip: "198.51.100.1" }, { email: maren.email, password });
    await site.db.schema.alterTable("security_events").renameTo("elsewhere").execute();
    const { user } = await signIn(site, origin, { email: maren.email, password });
    await site.db.schema.alterTable("elsewhere").renameTo("security_events").execute();
    expect(user.id).toBe(maren.id);
  });

  test("the log keeps 200 entries for 180 days and shows the member the newest 50", async () => {
    const { maren, tobias, site } = world;
    const { member } = await openSession(world, maren);
    const note = (userId: string) => transaction(site, (tx) => recordSecurityEvent(tx, { userId, kind: "sign-in", origin }));
    await note(tobias.id);
    for (let i = 0; i < 210; i++) await note(maren.id);
    const count = async () =>
      (await site.db.selectFrom("security_events").select("number").where("userId", "=", maren.id).execute()).length;
    expect(await count()).toBe(200);
    const shown = await listSecurityEvents(site, member);
    expect(shown).toHaveLength(50);
    expect(shown[0]).toMatchObject({ kind: "sign-in", device: "Firefox", network: "192.0.2.0/24" });
    world.clock.advance(181 * dayMs);
    expect(await listSecurityEvents(site, member)).toEqual([]);
    await note(maren.id);
    expect(await count()).toBe(1);
    await expect(listSecurityEvents(site, null)).rejects.toMatchObject({ code: "sign-in-required" });
  });

  test("a new password raises the epoch, with its entry in the log", async () => {
    const { member } = await openSession(world, world.maren);
    await changePassword(world.site, member, origin, { current: password, password: "a door in the hill" });
    const user = await world.site.db.selectFrom("users").select("securityEpoch").where("id", "=", member.id).executeTakeFirst();
    expect(user?.securityEpoch).toBe(1);
    expect(await listSecurityEvents(world.site, member)).toMatchObject([{ kind: "password-changed" }]);
  });

  test.each([
    ["192.0.2.7", "192.0.2.0/24"],
    ["::ffff:192.0.2.7", "192.0.2.0/24"],
    ["2001:db8:1:2::7", "2001:db8:1::/48"],
    ["2001:0DB8::1", "2001:db8:0::/48"],
    ["fe80::1%eth0", "fe80:0:0::/48"],
    ["::1", "0:0:0::/48"],
    ["", ""],
    ["nonsense", ""],
  ])("only the network of the address %j is stored: %j", (address, network) => {
    expect(truncateNetwork(address) ?? "").toBe(network);
  });
});
