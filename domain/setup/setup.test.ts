import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasAdministrator } from "#domain/accounts/staff-roles.server.ts";
import { saveSettings } from "#domain/settings/settings.server.ts";
import { defaultSettings } from "#domain/settings/settings.ts";
import { findAndRenewSession } from "#server/session/session.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { makeSetupLink, readSetup, setUpSite, trySetupEmail } from "./setup.server.ts";
import { SetupInput } from "./setup-input.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
  await world.site.db.deleteFrom("administrators").execute();
});
afterEach(() => world.close());

const origin = { ip: "192.0.2.7", userAgent: "Firefox" };
const typed = {
  name: "Ana Pereira",
  email: "ana@example.com",
  password: "a lamp on the Hill 9",
  siteName: "Night Bus",
  siteDescription: "",
  landingFigures: "live",
  landingIntro: "{name} is for what happens after midnight.",
  landingCommunity: "",
};
const input = (changed: object = {}) => SetupInput.parse({ ...typed, ...changed });
const link = async () => (await makeSetupLink(world.site)) ?? "";
const tokenOf = (address: string) => new URL(address).searchParams.get("token") ?? "";
const setUp = (address: string, changed: object = {}) => setUpSite(world.site, origin, tokenOf(address), input(changed));

describe("the link", () => {
  test("uses the site's address, survives restarts and isn't stored", async () => {
    const [first, second] = [await link(), await link()];
    expect(first).toMatch(/^http:\/\/inkstead\.test\/setup\?token=[\w-]{43}$/);
    expect(second).not.toBe(first);
    for (const each of [first, second]) expect((await readSetup(world.site, tokenOf(each))).siteName).toBe("Inkstead");
    const kept = JSON.stringify(await world.site.db.selectFrom("verifications").selectAll().execute());
    expect(kept).not.toContain(tokenOf(first));
  });

  test("can't be guessed and expires after a month", async () => {
    const address = await link();
    for (const token of ["", "none", tokenOf(address).slice(1), `${tokenOf(address)}x`])
      await expect(readSetup(world.site, token)).rejects.toMatchObject({ code: "not-found" });
    world.clock.advance(30 * 24 * 60 * 60_000);
    await expect(readSetup(world.site, tokenOf(address))).rejects.toMatchObject({ code: "not-found" });
  });

  test("only the newest ones are kept", async () => {
    const links: string[] = [];
    for (let start = 0; start < 12; start++) {
      links.push(await link());
      world.clock.advance(1_000);
    }
    const works = await Promise.all(
      links.map((each) =>
        readSetup(world.site, tokenOf(each)).then(
          () => true,
          () => false,
        ),
      ),
    );
    expect(works).toEqual([false, false, ...Array.from({ length: 10 }, () => true)]);
  });

  test("becomes invalid once there is an administrator", async () => {
    const address = await link();
    await world.site.db.insertInto("administrators").values({ userId: world.ruth.id, role: "administrator", createdAt: 0 }).execute();
    await expect(readSetup(world.site, tokenOf(address))).rejects.toMatchObject({ code: "not-found" });
    await expect(setUp(address)).rejects.toMatchObject({ code: "not-found" });
    expect(await makeSetupLink(world.site)).toBeNull();
    expect(await world.site.db.selectFrom("verifications").selectAll().execute()).toEqual([]);
  });
});

describe("setting up", () => {
  test("saves the settings and signs in the first administrator, confirmed", async () => {
    const { cookies } = await setUp(await link(), { allowRegistration: "" });
    expect(world.site.settings).toEqual({
      ...defaultSettings,
      siteName: "Night Bus",
      siteDescription: "",
      landingFigures: "live",
      landingIntro: typed.landingIntro,
      landingCommunity: "",
      allowRegistration: false,
    });
    const { viewer } = await findAndRenewSession(world.site, cookies.map((cookie) => cookie.split(";")[0]).join("; "));
    expect(viewer).toMatchObject({ name: "Ana Pereira", isEmailConfirmed: true, staff: "administrator" });
    const log = await world.site.db.selectFrom("audit_log").select(["action", "userName"]).orderBy("number").execute();
    expect(log.map(({ action, userName }) => `${userName}: ${action}`)).toEqual([
      "Setup page: settings.changed",
      "Setup page: address.confirmed",
      "Setup page: administrator.granted",
    ]);
    expect(world.emails.map(({ subject }) => subject)).toEqual(["Your role on Night Bus has changed"]);
  });

  test("works once, with any link", async () => {
    const [first, second] = [await link(), await link()];
    await setUp(first);
    for (const each of [first, second])
      await expect(setUp(each, { email: "ben@example.com" })).rejects.toMatchObject({ code: "not-found" });
  });

  test("of two concurrent attempts one succeeds", async () => {
    const address = await link();
    const emails = ["ana@example.com", "ben@example.com"];
    const done = await Promise.allSettled(emails.map((email) => setUp(address, { email })));
    expect(done.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const opened = await world.site.db.selectFrom("users").select("email").where("email", "in", emails).execute();
    expect(opened).toHaveLength(1);
    const roles = await world.site.db.selectFrom("administrators").select("role").execute();
    expect(roles).toEqual([{ role: "administrator" }]);
  });

  test.each([
    ["a common password", { password: "password123" }, "password"],
    ["the site's new name as the password", { password: "NightBus2026" }, "password"],
    ["a taken address", { email: "maren@example.com" }, "email"],
  ])("%s is rejected as at sign-up, and the link still works", async (_what, changed, field) => {
    const address = await link();
    await expect(setUp(address, changed)).rejects.toMatchObject({ field });
    expect(await hasAdministrator(world.site)).toBe(false);
    await setUp(address);
    expect(await hasAdministrator(world.site)).toBe(true);
  });

  test("works while registration is closed", async () => {
    await saveSettings(world.site, { ...world.ruth, staff: "administrator" }, { allowRegistration: false });
    await setUp(await link());
    expect(await hasAdministrator(world.site)).toBe(true);
  });
});

describe("the test email", () => {
  let token: string;
  beforeEach(async () => {
    token = tokenOf(await link());
  });
  const send = () => trySetupEmail(world.site, origin, token, "ana@example.com");

  test("is sent to the address", async () => {
    expect(await send()).toEqual({ result: "sent", problem: null, isRetried: false });
    expect(world.emails.map(({ to, subject }) => [to, subject])).toEqual([["ana@example.com", "Test email from Inkstead"]]);
    world.site.mail.delivers = false;
    expect(await send()).toMatchObject({ result: "saved" });
  });

  test("explains what is wrong with the mail server", async () => {
    world.site.mail.send = async () => {
      throw Object.assign(new Error("Invalid login"), { code: "EAUTH", responseCode: 535 });
    };
    expect(await send()).toMatchObject({ result: "failed", problem: expect.stringContaining("Check the user and password in SMTP_URL.") });
  });

  test("requires the link and is limited", async () => {
    await expect(trySetupEmail(world.site, origin, "none", "ana@example.com")).rejects.toMatchObject({ code: "not-found" });
    for (let count = 0; count < 20; count++) await send();
    await expect(send()).rejects.toMatchObject({ code: "too-many" });
    expect(world.emails).toHaveLength(20);
  });
});
