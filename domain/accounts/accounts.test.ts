import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hashPassword } from "#domain/accounts/sign-in/password-hashes.server.ts";
import { findAndRenewSession } from "#server/session/session.ts";
import { atFullHashCost } from "../../tests/support/people.ts";
import { until } from "../../tests/support/until.ts";
import { signIn as openSession, openWorld, password, type World } from "../../tests/support/world.ts";
import { signIn, signOut, signUp } from "./accounts.server.ts";

const origin = { ip: "192.0.2.7", userAgent: "A browser" };
const ines = { name: "Ines Carvalho", email: "ines@example.com", password: "Lamp-room 1911" };

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const users = (email: string) => world.site.db.selectFrom("users").selectAll().where("email", "=", email).execute();
const viewerOf = async (cookies: string[]) =>
  (await findAndRenewSession(world.site, cookies.map((each) => each.split(";")[0]).join("; "))).viewer;

describe("signing up", () => {
  test("creates account, session and profile, and emails the link", async () => {
    const { user, cookies } = await signUp(world.site, origin, ines);
    expect(user).toMatchObject({ name: ines.name, email: ines.email });
    expect(await viewerOf(cookies)).toMatchObject({ id: user.id, name: ines.name, isEmailConfirmed: false, staff: null });
    const profile = await world.site.db.selectFrom("profiles").select("userName").where("userId", "=", user.id).executeTakeFirst();
    expect(profile).toEqual({ userName: ines.name });
    await until(() => expect(world.emails).toHaveLength(1));
    expect(world.emails[0]).toMatchObject({ to: ines.email, subject: "Confirm your email for Inkstead" });
    expect(world.emails[0]?.text).toContain("http://inkstead.test/verify-email?token=");
  });

  test("the id is the hex time and 7 random hex characters", async () => {
    const { user } = await signUp(world.site, origin, ines);
    expect(user.id).toMatch(/^[0-9a-f]{18}$/);
    expect(Number.parseInt(user.id.slice(0, -7), 16)).toBe(world.site.now());
  });

  test("the session records where it was opened", async () => {
    const { user } = await signUp(world.site, origin, ines);
    const session = await world.site.db.selectFrom("sessions").selectAll().where("userId", "=", user.id).executeTakeFirst();
    expect(session).toMatchObject({ ipAddress: origin.ip, userAgent: origin.userAgent });
  });

  test("a taken address is reported for its field, in any spelling", async () => {
    const again = signUp(world.site, origin, { ...ines, email: world.maren.email });
    await expect(again).rejects.toMatchObject({
      code: "conflict",
      field: "email",
      message: "An account with this email address already exists",
    });
  });

  test("of two concurrent sign-ups with one address one succeeds", async () => {
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => signUp(world.site, origin, ines)));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "conflict", field: "email" });
    expect(await users(ines.email)).toHaveLength(1);
  });

  test("is refused while registration is closed", async () => {
    world.site.settings.allowRegistration = false;
    await expect(signUp(world.site, origin, ines)).rejects.toMatchObject({ code: "not-allowed", message: "Registration is closed" });
    expect(await users(ines.email)).toEqual([]);
  });

  test.each(["accounts", "sessions"])("saves nothing if the row in %s can't be written", async (table) => {
    await signUp(world.site, origin, { ...ines, email: "first@example.com" });
    await world.site.db.schema.alterTable(table).renameTo("elsewhere").execute();
    await expect(signUp(world.site, origin, ines)).rejects.not.toHaveProperty("code", "conflict");
    expect(await users(ines.email)).toEqual([]);
    await world.site.db.schema.alterTable("elsewhere").renameTo(table).execute();
    await signUp(world.site, origin, ines);
  });

  test("works without a profile", async () => {
    await world.site.db.schema.alterTable("profiles").renameTo("elsewhere").execute();
    const { cookies } = await signUp(world.site, origin, ines);
    await world.site.db.schema.alterTable("elsewhere").renameTo("profiles").execute();
    expect(await viewerOf(cookies)).toMatchObject({ name: ines.name });
  });

  test("works while the mail server is down", async () => {
    const site = { ...world.site, mail: { delivers: true, send: () => Promise.reject(new Error("refused")) } };
    const { cookies } = await signUp(site, origin, ines);
    expect(await viewerOf(cookies)).toMatchObject({ name: ines.name });
  });

  test("doesn't wait for a mail server that hangs", async () => {
    let hangUp = () => {};
    const hanging = new Promise<void>((resolve) => (hangUp = resolve));
    const site = { ...world.site, mail: { delivers: true, send: () => hanging } };
    expect((await signUp(site, origin, ines)).user.email).toBe(ines.email);
    hangUp();
  });

  test("doesn't block other writers while it hashes", async () => {
    const { db } = world.site;
    const timeOf = async (work: () => Promise<unknown>) => {
      const start = performance.now();
      await work();
      return performance.now() - start;
    };
    let hash = Number.POSITIVE_INFINITY;
    let tries = 0;
    const longestWrite = async () => {
      let done = false;
      const signing = signUp(world.site, origin, { ...ines, email: `ines.${tries++}@example.com` }).finally(() => {
        done = true;
      });
      let longest = 0;
      while (!done) {
        const write = db.updateTable("attempts").set({ count: 1 }).where("kind", "=", "nobody");
        longest = Math.max(longest, await timeOf(() => write.execute()));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await signing;
      return longest;
    };
    // A write may be slow once for other reasons, but not every time.
    const look = async () => {
      hash = Math.min(hash, await timeOf(() => hashPassword(ines.password)));
      expect(await longestWrite()).toBeLessThan(hash / 2);
    };
    await atFullHashCost(() => until(look));
  });

  test("is limited to 60 an hour from one address", async () => {
    const row = { kind: "sign-up", subject: "", network: origin.ip, count: 60, endsAt: world.site.now() + 60_000 };
    await world.site.db.insertInto("attempts").values(row).execute();
    await expect(signUp(world.site, origin, ines)).rejects.toMatchObject({ code: "too-many" });
    await signUp(world.site, { ...origin, ip: "192.0.2.8" }, ines);
  });
});

describe("signing in", () => {
  const input = () => ({ email: world.maren.email, password });

  test("opens a session", async () => {
    const { user, cookies } = await signIn(world.site, origin, input());
    expect(user).toEqual({ id: world.maren.id, name: world.maren.name, email: world.maren.email });
    expect(await viewerOf(cookies)).toMatchObject({ id: world.maren.id });
  });

  test("the cookie is for this site's server alone", async () => {
    const { cookies } = await signIn(world.site, origin, input());
    expect(cookies.map((cookie) => cookie.split("=", 1)[0])).toEqual(["inkstead_session", "inkstead_known"]);
    expect(cookies[0]).toMatch(/^inkstead_session=.*; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test("a wrong password and an unknown address get the same answer", async () => {
    const refusal = { code: "invalid", field: undefined, message: "Invalid credentials. Please check the email and password." };
    await expect(signIn(world.site, origin, { ...input(), password: "not that" })).rejects.toMatchObject(refusal);
    await expect(signIn(world.site, origin, { ...input(), email: "nobody@example.com" })).rejects.toMatchObject(refusal);
  });

  test("a wrong password and an unknown address take the same time", async () => {
    // CPU time, so that other processes on the machine don't count.
    const time = async (email: string) => {
      const start = process.cpuUsage();
      await signIn(world.site, origin, { email, password: "not that" }).catch(() => {});
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    await time(world.maren.email);
    const best = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };
    const compare = async () => {
      for (let i = 0; i < 4; i++) {
        best.known = Math.min(best.known, await time(world.maren.email));
        best.unknown = Math.min(best.unknown, await time(`nobody${i}@example.com`));
      }
      // A request refused by the limit would take no time.
      world.clock.advance(60 * 60_000);
      expect(best.unknown / best.known).toBeGreaterThan(0.5);
      expect(best.unknown / best.known).toBeLessThan(2);
    };
    // More runs reduce the influence of the machine on the best one.
    await until(compare);
  });

  test("after 10 failures in 15 minutes even the correct password is rejected, from this address only", async () => {
    for (let i = 0; i < 10; i++) await expect(signIn(world.site, origin, { ...input(), password: "no" })).rejects.toThrow("Invalid");
    await expect(signIn(world.site, origin, input())).rejects.toMatchObject({ code: "too-many" });
    await signIn(world.site, { ...origin, ip: "192.0.2.8" }, input());
    await signIn(world.site, origin, { ...input(), email: world.tobias.email });
    world.clock.advance(15 * 60_000);
    await signIn(world.site, origin, input());
  });

  test("successes don't count", async () => {
    for (let i = 0; i < 12; i++) await signIn(world.site, origin, input());
    expect((await signIn(world.site, origin, input())).cookies).not.toEqual([]);
  });

  test("100 failures an hour block a client address", async () => {
    const row = { kind: "sign-in", subject: "", network: origin.ip, count: 100, endsAt: world.site.now() + 60_000 };
    await world.site.db.insertInto("attempts").values(row).execute();
    await expect(signIn(world.site, origin, input())).rejects.toMatchObject({ code: "too-many" });
  });
});

describe("signing out", () => {
  test("ends all sessions of this person only", async () => {
    const phone = await openSession(world, world.maren);
    const desk = await openSession(world, world.maren);
    const other = await openSession(world, world.tobias);
    const cookies = await signOut(world.site, desk.member);
    expect(cookies.find((cookie) => cookie.startsWith("inkstead_session="))).toMatch(/^inkstead_session=;.*Max-Age=0/);
    for (const { cookie } of [phone, desk]) expect((await findAndRenewSession(world.site, cookie)).viewer).toBeNull();
    expect((await findAndRenewSession(world.site, other.cookie)).viewer).not.toBeNull();
  });

  test("also clears a visitor's cookie", async () => {
    expect((await signOut(world.site, null)).join()).toContain("inkstead_session=;");
  });
});
