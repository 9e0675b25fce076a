import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";
import { findAndRenewSession, sessionToken } from "./session.ts";

const hour = 60 * 60_000;
const day = 24 * hour;

let world: World;
let cookie: string;
beforeEach(async () => {
  world = await openWorld();
  ({ cookie } = await signIn(world, world.maren));
});
afterEach(() => world.close());

const viewer = async (header: string | null) => (await findAndRenewSession(world.site, header)).viewer;

describe("a session", () => {
  test("identifies a member", async () => {
    expect(await viewer(cookie)).toMatchObject({ id: world.maren.id, name: world.maren.name, isEmailConfirmed: true, staff: null });
  });

  test("is found among other cookies", async () => {
    expect(await viewer(`theme=dark; ${cookie}; other=1`)).not.toBeNull();
  });

  test("shows the profile's name and picture, and the account's name without a profile", async () => {
    await world.site.db.updateTable("profiles").set({ userName: "M. Oduya" }).where("userId", "=", world.maren.id).execute();
    expect((await viewer(cookie))?.name).toBe("M. Oduya");
    await world.site.db.deleteFrom("profiles").where("userId", "=", world.maren.id).execute();
    expect(await viewer(cookie)).toMatchObject({ name: world.maren.name, profileImage: null });
  });

  test.each([
    ["none at all", null],
    ["an empty one", ""],
    ["no signature", "inkstead_session=token"],
    ["nothing but a signature", "inkstead_session=.c2lnbmF0dXJl"],
    ["broken encoding", "inkstead_session=%E0%A4%A"],
    ["a name that only begins alike", "inkstead_session_old=token.c2lnbmF0dXJl"],
  ])("is not made of %s", async (_what, header) => {
    expect(await viewer(header)).toBeNull();
  });

  test("with a forged signature is ignored", async () => {
    const token = sessionToken(cookie, "inkstead_session", world.site.secret) ?? "";
    const forged = createHmac("sha256", "another secret").update(token).digest("base64");
    expect(await viewer(`inkstead_session=${encodeURIComponent(`${token}.${forged}`)}`)).toBeNull();
    expect(await viewer(cookie.slice(0, -8))).toBeNull();
  });

  test("with the signature of another token is ignored", async () => {
    const other = (await signIn(world, world.ruth)).cookie;
    const token = sessionToken(other, "inkstead_session", world.site.secret) ?? "";
    const signature = decodeURIComponent(cookie).split(".").at(-1);
    expect(await viewer(`inkstead_session=${encodeURIComponent(`${token}.${signature}`)}`)).toBeNull();
  });

  test("with a valid signature but no row is ignored", async () => {
    const signature = createHmac("sha256", world.site.secret).update("made up").digest("base64");
    expect(await viewer(`inkstead_session=${encodeURIComponent(`made up.${signature}`)}`)).toBeNull();
  });

  test("ends at once when it is revoked", async () => {
    await world.site.db.deleteFrom("sessions").where("userId", "=", world.maren.id).execute();
    expect(await viewer(cookie)).toBeNull();
  });

  test("ends with the account", async () => {
    await world.site.db.deleteFrom("users").where("id", "=", world.maren.id).execute();
    expect(await viewer(cookie)).toBeNull();
  });

  test("expires after 30 days without a visit", async () => {
    world.clock.advance(30 * day - hour);
    expect(await viewer(cookie)).not.toBeNull();
    const again = (await signIn(world, world.tobias)).cookie;
    world.clock.advance(30 * day);
    expect(await viewer(again)).toBeNull();
  });

  test("ends 180 days after it was opened, however often it was extended", async () => {
    for (let days = 0; days < 179; days++) {
      world.clock.advance(day);
      await findAndRenewSession(world.site, cookie);
    }
    expect(await viewer(cookie)).not.toBeNull();
    world.clock.advance(day);
    expect(await viewer(cookie)).toBeNull();
  });

  test("is renewed once a day, and then lasts 30 days more", async () => {
    expect((await findAndRenewSession(world.site, cookie)).renewed).toEqual([]);
    world.clock.advance(25 * hour);
    const { viewer: found, renewed } = await findAndRenewSession(world.site, cookie);
    expect(found?.id).toBe(world.maren.id);
    expect(renewed.join()).toMatch(/^inkstead_session=.+Max-Age=2592000/);
    expect((await findAndRenewSession(world.site, cookie)).renewed).toEqual([]);
    world.clock.advance(29 * day + 12 * hour);
    expect(await viewer(cookie)).not.toBeNull();
  });
});

describe("being confirmed", () => {
  const salma = async () => viewer((await signIn(world, world.salma)).cookie);

  test("is required if mail is delivered", async () => {
    expect((await salma())?.isEmailConfirmed).toBe(false);
  });

  test("is not required without a mail server", async () => {
    world.site.mail.delivers = false;
    expect((await salma())?.isEmailConfirmed).toBe(true);
  });

  test("is not required if the setting is off", async () => {
    world.site.settings.requireEmailVerification = false;
    expect((await salma())?.isEmailConfirmed).toBe(true);
  });
});

describe("being an administrator", () => {
  const admin = async (person: "maren" | "salma" | "ruth") => (await viewer((await signIn(world, world[person])).cookie))?.staff;
  const list = (...emails: string[]) => world.site.adminEmails.push(...emails);
  const grant = (userId: string) => world.site.db.insertInto("administrators").values({ userId, createdAt: 1 }).execute();

  test("comes with a grant", async () => {
    expect(await admin("ruth")).toBe("administrator");
    expect(await admin("maren")).toBe(null);
  });

  test("comes with ADMIN_EMAILS", async () => {
    list("somebody@example.com", world.maren.email);
    expect(await admin("maren")).toBe("administrator");
  });

  test("needs a confirmed address in both cases, even if confirmation is not required", async () => {
    world.site.mail.delivers = false;
    list(world.salma.email);
    expect(await admin("salma")).toBe(null);
    await grant(world.salma.id);
    expect(await admin("salma")).toBe(null);
  });

  test("ends at once when it is revoked", async () => {
    await world.site.db.deleteFrom("administrators").where("userId", "=", world.ruth.id).execute();
    expect(await admin("ruth")).toBe(null);
  });
});
