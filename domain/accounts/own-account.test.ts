import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listDevices, signOutDevices } from "#domain/accounts/sign-in/devices.server.ts";
import { changePassword } from "#domain/accounts/sign-in/passwords.server.ts";
import { signIn as openSession, openWorld, password, type World } from "../../tests/support/world.ts";
import { deleteAccount } from "../account-deletion/delete-account.server.ts";
import { readOwnSubscription, setOwnSubscription } from "../newsletter/member-subscription.server.ts";
import { readSubscription, subscribe } from "../newsletter/subscribers.server.ts";
import { signIn } from "./accounts.server.ts";
import { confirmEmailChange, readEmailChange, requestEmailChange } from "./email-change.server.ts";
import { readOwnAccount, renameAccount } from "./own-account.server.ts";
import { isRecoveryTokenValid, requestRecovery } from "./recovery.server.ts";
import { reportNotMe } from "./security/not-me.server.ts";

const origin = { ip: "192.0.2.7", userAgent: "Firefox" };
const next = "another lamp in it";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const mine = async () => (await openSession(world, world.maren)).member;
const tokenIn = (emailMessage: { text: string } | undefined) => decodeURIComponent(/token=(\S+)/.exec(emailMessage?.text ?? "")?.[1] ?? "");

describe("the name", () => {
  test("of the account changes, but not the display name", async () => {
    const maren = await mine();
    await renameAccount(world.site, maren, "Maren O. Oduya");
    expect(await readOwnAccount(world.site, maren)).toMatchObject({ name: "Maren O. Oduya", email: "maren@example.com", confirmed: true });
    const profile = await world.site.db.selectFrom("profiles").select("userName").where("userId", "=", maren.id).executeTakeFirst();
    expect(profile?.userName).toBe("Maren Oduya");
    await expect(renameAccount(world.site, null, "x")).rejects.toMatchObject({ code: "sign-in-required" });
  });
});

describe("the password", () => {
  test("changing it requires the current one, signs out other devices and sends an email", async () => {
    const [here, there] = [await mine(), await mine()];
    await changePassword(world.site, here, origin, { current: password, password: next });
    const sessions = await world.site.db.selectFrom("sessions").select("id").where("userId", "=", here.id).execute();
    expect(sessions).toEqual([{ id: here.sessionId }]);
    expect(sessions).not.toContainEqual({ id: there.sessionId });
    expect((await signIn(world.site, origin, { email: here.email, password: next })).user.id).toBe(here.id);
    await expect(signIn(world.site, origin, { email: here.email, password })).rejects.toMatchObject({ code: "invalid" });
    expect(world.emails.map(({ to, subject }) => [to, subject])).toEqual([["maren@example.com", "Your password was changed (Inkstead)"]]);
  });

  test("stays unchanged after a wrong current one, and guesses are limited", async () => {
    const maren = await mine();
    const guess = () => changePassword(world.site, maren, origin, { current: "a lamp", password: next });
    for (let i = 0; i < 10; i++) await expect(guess()).rejects.toMatchObject({ code: "invalid", field: "current" });
    await expect(guess()).rejects.toMatchObject({ code: "too-many" });
    expect(world.emails).toEqual([]);
  });

  test("changing it voids recovery links", async () => {
    const maren = await mine();
    await requestRecovery(world.site, origin, maren.email);
    await expect.poll(() => world.emails.length).toBe(1);
    const token = tokenIn(world.emails[0]);
    expect(await isRecoveryTokenValid(world.site, token)).toBe(true);
    await changePassword(world.site, maren, origin, { current: password, password: next });
    expect(await isRecoveryTokenValid(world.site, token)).toBe(false);
  });

  test("its emails ignore the settings, and an outage of the mail server delays nothing", async () => {
    world.site.settings.emailNotifications = false;
    const maren = await mine();
    await changePassword(world.site, maren, origin, { current: password, password: next });
    expect(world.emails).toHaveLength(1);
    const mail = { ...world.site.mail, send: () => Promise.reject(new Error("no mail today")) };
    await changePassword({ ...world.site, mail }, maren, origin, { current: next, password });
    expect((await signIn(world.site, origin, { email: maren.email, password })).user.id).toBe(maren.id);
  });
});

describe("the address", () => {
  const ask = async (email = "keeper@example.com", given = password) =>
    requestEmailChange(world.site, await mine(), origin, { email, password: given });

  test("changes once the link at the new one is opened, and the old one is notified", async () => {
    await ask();
    expect(world.emails.map(({ to }) => to)).toEqual(["keeper@example.com", "maren@example.com"]);
    expect((await readOwnAccount(world.site, await mine())).email).toBe("maren@example.com");
    const token = tokenIn(world.emails[0]);
    expect(await readEmailChange(world.site, token)).toMatchObject({ from: "maren@example.com", to: "keeper@example.com", done: false });
    await confirmEmailChange(world.site, await mine(), origin, token);
    await confirmEmailChange(world.site, await mine(), origin, token);
    expect((await signIn(world.site, origin, { email: "keeper@example.com", password })).user.id).toBe(world.maren.id);
    expect(world.emails.slice(2).map(({ to, subject }) => [to, subject])).toEqual([
      ["maren@example.com", "Your email was changed (Inkstead)"],
    ]);
  });

  describe("takes the newsletter along", () => {
    const subscribers = async () => (await world.site.db.selectFrom("subscribers").select(["email", "token"]).execute()).toSorted();
    const move = async () => {
      await ask();
      await confirmEmailChange(world.site, await mine(), origin, tokenIn(world.emails[0]));
      return { ...(await mine()), email: "keeper@example.com" };
    };

    test("and account deletion removes it", async () => {
      await setOwnSubscription(world.site, world.maren, true);
      const [before] = await subscribers();
      const maren = await move();
      expect(await readOwnSubscription(world.site, maren)).toBe(true);
      expect(await subscribers()).toMatchObject([{ email: "keeper@example.com" }]);
      await expect(readSubscription(world.site, before?.token ?? "")).rejects.toMatchObject({ code: "invalid" });
      await deleteAccount(world.site, maren, password);
      expect(await subscribers()).toEqual([]);
    });

    test("also if the new address is subscribed already", async () => {
      await setOwnSubscription(world.site, world.maren, true);
      await subscribe(world.site, origin, "keeper@example.com");
      world.emails.length = 0;
      expect(await readOwnSubscription(world.site, await move())).toBe(true);
      expect(await subscribers()).toMatchObject([{ email: "keeper@example.com" }]);
    });

    test("back when the change is undone, with its former links", async () => {
      await setOwnSubscription(world.site, world.maren, true);
      const before = await subscribers();
      await move();
      await reportNotMe(world.site, origin, tokenIn(world.emails.at(-1)));
      expect(await subscribers()).toEqual(before);
      expect(await readOwnSubscription(world.site, world.maren)).toBe(true);
    });

    test("but not a subscription of an address that wasn't confirmed", async () => {
      await setOwnSubscription(world.site, world.maren, true);
      await world.site.db.updateTable("users").set({ emailVerified: false }).where("id", "=", world.maren.id).execute();
      await move();
      expect(await subscribers()).toMatchObject([{ email: "maren@example.com" }]);
    });
  });

  test("requires the password and an unused address", async () => {
    await expect(ask(undefined, "wrong one")).rejects.toMatchObject({ code: "invalid", field: "password" });
    await expect(ask(world.tobias.email)).rejects.toMatchObject({ code: "conflict", field: "email" });
    await expect(ask(world.maren.email)).rejects.toMatchObject({ code: "conflict", field: "email" });
    expect(world.emails).toEqual([]);
  });

  test("requests are limited, also those for taken addresses", async () => {
    for (let tries = 0; tries < 5; tries++) await expect(ask(world.tobias.email)).rejects.toMatchObject({ code: "conflict" });
    await expect(ask(world.tobias.email)).rejects.toMatchObject({ code: "too-many" });
    await expect(ask()).rejects.toMatchObject({ code: "too-many" });
  });

  test("a link expires after a day, or with another change, and forgeries are rejected", async () => {
    await ask("first@example.com");
    await ask("second@example.com");
    const [first, , second] = world.emails.map(tokenIn);
    await confirmEmailChange(world.site, await mine(), origin, String(second));
    await expect(confirmEmailChange(world.site, await mine(), origin, String(first))).rejects.toMatchObject({ code: "invalid" });
    await expect(confirmEmailChange(world.site, await mine(), origin, "made.up.link")).rejects.toMatchObject({ code: "invalid" });
    await requestEmailChange(world.site, { ...(await mine()), email: "second@example.com" }, origin, {
      email: "third@example.com",
      password,
    });
    world.clock.advance(25 * 60 * 60 * 1000);
    await expect(confirmEmailChange(world.site, await mine(), origin, tokenIn(world.emails.at(-2)))).rejects.toMatchObject({
      code: "invalid",
    });
  });

  test("a person who signs up with it meanwhile keeps it", async () => {
    await ask("keeper@example.com");
    await world.site.db.updateTable("users").set({ email: "keeper@example.com" }).where("id", "=", world.tobias.id).execute();
    await expect(confirmEmailChange(world.site, await mine(), origin, tokenIn(world.emails[0]))).rejects.toMatchObject({
      code: "conflict",
    });
    expect((await readOwnAccount(world.site, await mine())).email).toBe("maren@example.com");
  });
});

describe("devices", () => {
  test("are listed, the current one first, and can be signed out", async () => {
    await openSession(world, world.maren);
    world.clock.advance(1000);
    const here = await mine();
    world.clock.advance(1000);
    const { member: third } = await openSession(world, world.maren);
    const devices = await listDevices(world.site, here);
    expect(devices.map(({ current }) => current)).toEqual([true, false, false]);
    await signOutDevices(world.site, here, origin, { id: String(third.sessionId) });
    expect(await listDevices(world.site, here)).toHaveLength(2);
    await signOutDevices(world.site, here, origin, "all others");
    expect((await listDevices(world.site, here)).map(({ id }) => id)).toEqual([here.sessionId]);
  });

  test("of other members are unaffected", async () => {
    const { member: tobias } = await openSession(world, world.tobias);
    await signOutDevices(world.site, await mine(), origin, { id: String(tobias.sessionId) });
    expect(await listDevices(world.site, tobias)).toHaveLength(1);
    await expect(listDevices(world.site, null)).rejects.toMatchObject({ code: "sign-in-required" });
  });

  test("with expired sessions are not listed", async () => {
    const maren = await mine();
    world.clock.advance(31 * 24 * 60 * 60 * 1000);
    expect(await listDevices(world.site, maren)).toEqual([]);
  });
});
