import { hashPassword as hashByScrypt } from "better-auth/crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { signIn } from "#domain/accounts/accounts.server.ts";
import { openWorld, password, type World } from "../../../tests/support/world.ts";
import { isOutdated } from "./password-hashes.server.ts";
import { changePassword } from "./passwords.server.ts";
import { maxSessions } from "./sessions.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const minute = 60_000;
const from = (address: string, cookie: string | null = null) => ({ ip: address, userAgent: "A browser", cookie });
/** A new network for each guess, like a botnet. */
let network = 0;
const anywhere = () => from(`203.0.${Math.floor(network / 250)}.${network++ % 250}`);
const guess = (email: string, origin = anywhere()) =>
  signIn(world.site, origin, { email, password: "a wrong guess" }).catch((error) => error.code);
const enter = (origin = anywhere()) => signIn(world.site, origin, { email: world.maren.email, password });
const sent = (cookies: string[]) => cookies.map((cookie) => cookie.split(";", 1)[0]).join("; ");
const attempts = () => world.site.db.selectFrom("attempts").selectAll().execute();

async function guessMany(email: string, times: number): Promise<string[]> {
  const codes: string[] = [];
  for (let n = 0; n < times; n++) codes.push(await guess(email));
  return codes;
}

describe("guessing from many networks", () => {
  test("is slowed down after 25 wrong passwords, even for the correct one", async () => {
    expect(new Set(await guessMany(world.maren.email, 25))).toEqual(new Set(["invalid"]));
    expect(await guessMany(world.maren.email, 3)).toEqual(["invalid", "too-many", "too-many"]);
    await expect(enter()).rejects.toMatchObject({ code: "too-many", retryAfterSeconds: expect.any(Number) });
    world.clock.advance(minute + 1);
    await enter();
  });

  test("is slowed down step by step to one guess in 15 minutes", async () => {
    await guessMany(world.maren.email, 80);
    world.clock.advance(2 * minute);
    expect(await guessMany(world.maren.email, 2)).toEqual(["invalid", "too-many"]);
    world.clock.advance(14 * minute);
    expect(await guess(world.maren.email)).toBe("too-many");
    world.clock.advance(minute);
    expect(await guess(world.maren.email)).toBe("invalid");
  });

  test("is counted correctly when concurrent", async () => {
    const codes = await Promise.all(Array.from({ length: 40 }, () => guess(world.maren.email)));
    expect(codes.filter((code) => code === "invalid")).toHaveLength(26);
  });

  test("behaves the same for unknown addresses", async () => {
    expect(await guessMany("nobody@example.com", 28)).toEqual(await guessMany(world.maren.email, 28));
  });

  test("doesn't lock out known browsers, which have their own limit", async () => {
    const { cookies } = await enter();
    await guessMany(world.maren.email, 40);
    const own = () => from(anywhere().ip, sent(cookies));
    await enter(own());
    for (let n = 0; n < 20; n++) expect(await guess(world.maren.email, own())).toBe("invalid");
    expect(await guess(world.maren.email, own())).toBe("too-many");
    expect(await guess(world.tobias.email, own())).toBe("invalid");
  });

  test("is reported to the owner once, but not to an unconfirmed address", async () => {
    await guessMany(world.maren.email, 40);
    await guessMany(world.salma.email, 40);
    await expect
      .poll(() => world.emails.map(({ to, subject }) => [to, subject]))
      .toEqual([[world.maren.email, "Failed sign-ins to your Inkstead account"]]);
  });

  test("is reported only after a wrong password, at most once a day", async () => {
    const warnings = () => world.emails.filter(({ subject }) => subject === "Failed sign-ins to your Inkstead account").length;
    await guessMany(world.maren.email, 25);
    await enter();
    expect(warnings()).toBe(0);
    await guess(world.maren.email);
    await expect.poll(warnings).toBe(1);
    world.clock.advance(minute + 1);
    await enter();
    await guess(world.maren.email);
    world.clock.advance(24 * 60 * minute);
    await guessMany(world.maren.email, 26);
    await expect.poll(warnings).toBe(2);
  });
});

test("a blocked network adds no rows for new addresses", async () => {
  const origin = from("192.0.2.7");
  for (let n = 0; n < 100; n++) await guess(`nobody-${n}@example.com`, origin);
  const before = (await attempts()).length;
  for (let n = 100; n < 120; n++) expect(await guess(`nobody-${n}@example.com`, origin)).toBe("too-many");
  expect((await attempts()).length).toBe(before);
});

test("successful sign-ins are limited, too", async () => {
  const origin = from("192.0.2.7");
  for (let n = 0; n < 60; n++) await enter(origin);
  await expect(enter(origin)).rejects.toMatchObject({ code: "too-many" });
  const sessions = await world.site.db.selectFrom("sessions").select("id").where("userId", "=", world.maren.id).execute();
  expect(sessions).toHaveLength(maxSessions);
});

test("the least recently used session ends first", async () => {
  const origin = from("192.0.2.7");
  const ids = async () => (await world.site.db.selectFrom("sessions").select("id").orderBy("createdAt").execute()).map(({ id }) => id);
  for (let n = 0; n < maxSessions; n++) {
    await enter(origin);
    world.clock.advance(1000);
  }
  const [first, second] = await ids();
  await world.site.db
    .updateTable("sessions")
    .set({ updatedAt: new Date(world.site.now()).toISOString() })
    .where("id", "=", first ?? "")
    .execute();
  world.clock.advance(1000);
  await enter(origin);
  expect(await ids()).toContain(first);
  expect(await ids()).not.toContain(second);
});

test("an old scrypt hash is replaced at the first sign-in", async () => {
  const own = () => world.site.db.selectFrom("accounts").select("password").where("userId", "=", world.maren.id).executeTakeFirstOrThrow();
  await world.site.db
    .updateTable("accounts")
    .set({ password: await hashByScrypt(password) })
    .where("userId", "=", world.maren.id)
    .execute();
  expect(await guess(world.maren.email)).toBe("invalid");
  expect((await own()).password).not.toMatch(/^\$/);
  await enter();
  expect(isOutdated((await own()).password ?? "")).toBe(false);
  await enter();
});

test("changing the password renews the session's token", async () => {
  const { cookies } = await enter();
  const row = await world.site.db.selectFrom("sessions").select(["id", "token"]).executeTakeFirstOrThrow();
  const viewer = { ...world.maren, sessionId: row.id };
  const token = await changePassword(world.site, viewer, from("192.0.2.7"), { current: password, password: "a kettle on the stove" });
  expect(cookies.join()).not.toContain(token);
  expect(await world.site.db.selectFrom("sessions").select(["id", "token"]).execute()).toEqual([{ id: row.id, token }]);
});
