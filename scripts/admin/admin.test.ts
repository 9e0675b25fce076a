import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { signIn as enterWithPassword } from "#domain/accounts/accounts.server.ts";
import { listSecurityEvents } from "#domain/accounts/security/security-log.server.ts";
import { confirmAuthenticator, startAuthenticator } from "#domain/accounts/sign-in/second-step.server.ts";
import { hasAdministrator } from "#domain/accounts/staff-roles.server.ts";
import { findAndRenewSession } from "#server/session/session.ts";
import { codeOf } from "../../tests/support/totp.ts";
import { openWorld, password, signIn, type World } from "../../tests/support/world.ts";
import { runAdminCommand } from "./admin-commands.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld({ adminEmails: ["maren@example.com"] });
});
afterEach(() => world.close());

const run = (...args: string[]) => runAdminCommand(world.site, "/data/mail", args);
const viewer = async (person: "maren" | "tobias" | "salma" | "ruth") =>
  (await findAndRenewSession(world.site, (await signIn(world, world[person])).cookie)).viewer;

describe("grant", () => {
  test("makes a confirmed account an administrator, in any spelling of the address", async () => {
    expect(await run("grant", "Tobias@Example.com")).toEqual({
      text: "Tobias Lindqvist (tobias@example.com) now administers the site.",
      code: 0,
    });
    expect((await viewer("tobias"))?.staff).toBe("administrator");
  });

  test("is idempotent", async () => {
    await run("grant", "tobias@example.com");
    expect((await run("grant", "tobias@example.com")).code).toBe(0);
  });

  test("waits for the confirmation, and names the email's file", async () => {
    const { text, code } = await run("grant", "salma@example.com");
    expect(code).toBe(0);
    expect(text).toBe(`Recorded: Salma Rahimi (salma@example.com) will administer the site once the email is confirmed.
The confirmation link is in the email sent to salma@example.com. To confirm it yourself, run: npm run admin -- confirm salma@example.com`);
    expect((await viewer("salma"))?.staff).toBe(null);
    await run("confirm", "salma@example.com");
    expect((await viewer("salma"))?.staff).toBe("administrator");
  });

  test("names the mail folder without a mail server", async () => {
    world.site.mail.delivers = false;
    expect((await run("grant", "salma@example.com")).text).toContain("in the newest email to salma@example.com in /data/mail.");
  });
});

describe("revoke", () => {
  test("takes effect at once", async () => {
    expect(await run("revoke", "ruth@example.com")).toEqual({
      text: "Ruth Castellanos (ruth@example.com) no longer has a staff role.",
      code: 0,
    });
    expect((await viewer("ruth"))?.staff).toBe(null);
  });

  test("warns when ADMIN_EMAILS has the address", async () => {
    expect((await run("revoke", "maren@example.com")).text).toBe(
      "The role is removed, but maren@example.com is in ADMIN_EMAILS. Remove it there too and restart the site.",
    );
    expect((await viewer("maren"))?.staff).toBe("administrator");
  });
});

describe("confirm", () => {
  test("confirms an address", async () => {
    expect(await run("confirm", "salma@example.com")).toEqual({
      text: "Salma Rahimi (salma@example.com) now has a confirmed email.",
      code: 0,
    });
    expect(await viewer("salma")).toMatchObject({ isEmailConfirmed: true, staff: null });
  });

  test("reports a new administrator", async () => {
    world.site.adminEmails.push("salma@example.com");
    expect((await run("confirm", "salma@example.com")).text).toContain("and a staff role");
  });
});

describe("list", () => {
  test("shows all administrators, the source of their rights, and missing confirmations", async () => {
    await run("grant", "maren@example.com");
    await run("grant", "salma@example.com");
    world.site.adminEmails.push("later@example.com");
    expect(await run("list")).toEqual({
      text: `maren@example.com  Maren Oduya  (granted, in ADMIN_EMAILS)
ruth@example.com  Ruth Castellanos  (granted)
salma@example.com  Salma Rahimi  (granted, email not confirmed)
later@example.com  (in ADMIN_EMAILS, no account yet)`,
      code: 0,
    });
  });

  test("reports an empty list", async () => {
    world.site.adminEmails.length = 0;
    await run("revoke", "ruth@example.com");
    expect((await run("list")).text).toBe("This site has no administrator yet.");
    expect(await hasAdministrator(world.site)).toBe(false);
    await run("grant", "salma@example.com");
    expect(await hasAdministrator(world.site)).toBe(false);
  });
});

describe("remove-second-step", () => {
  const client = { ip: "192.0.2.7", userAgent: "Firefox" };
  const enter = () => enterWithPassword(world.site, client, { email: world.maren.email, password });

  test("lets the owner sign in without the authenticator app, and ends existing sessions", async () => {
    const { site, maren } = world;
    const here = await signIn(world, maren);
    const origin = { ...client, cookie: here.cookie };
    const { uri: secret } = await startAuthenticator(site, here.member, origin, password);
    const cookies = await confirmAuthenticator(site, here.member, origin, codeOf(secret, site.now()));
    await expect(enter()).rejects.toMatchObject({ details: { kind: "second-step" } });
    const pending = await site.db.selectFrom("verifications").select("id").where("value", "=", maren.id).execute();
    expect(pending.length).toBeGreaterThan(0);
    world.emails.length = 0;

    const { text, code } = await run("remove-second-step", "Maren@Example.com");
    expect([text.split("\n")[0], code]).toEqual([
      "Maren Oduya (maren@example.com) no longer has an authenticator app, is signed out everywhere, and was emailed about it.",
      0,
    ]);
    expect((await findAndRenewSession(site, cookies.map((each) => each.split(";")[0]).join("; "))).viewer).toBeNull();
    const left = await site.db.selectFrom("verifications").select("id").where("value", "=", maren.id).execute();
    expect(left).toEqual([]);
    const user = await site.db.selectFrom("users").selectAll().where("id", "=", maren.id).executeTakeFirstOrThrow();
    expect([user.twoFactorEnabled, user.securityEpoch]).toEqual([false, 1]);
    expect((await enter()).user.id).toBe(maren.id);
    expect(world.emails.map(({ to, subject }) => [to, subject])).toEqual([[maren.email, "Two-step verification removed (Inkstead)"]]);
    const [entry] = await site.db.selectFrom("audit_log").select(["action", "subject", "userName"]).execute();
    expect(entry).toEqual({ action: "second-step.removed", subject: `user:${maren.id}`, userName: "Console" });
    const kinds = (await listSecurityEvents(site, here.member)).map(({ kind }) => kind);
    expect(kinds).toEqual(["sign-in", "second-step-removed", "authenticator-added"]);
  });

  test("keeps passkeys and accounts without an app", async () => {
    const { site, maren } = world;
    const row = { id: "k", name: "Key", publicKey: "k", userId: maren.id, credentialID: "c", counter: 0, deviceType: "x", backedUp: false };
    await site.db
      .insertInto("passkeys")
      .values({ ...row, transports: null, createdAt: null, aaguid: null } as never)
      .execute();
    expect(await run("remove-second-step", maren.email)).toEqual({
      text: "Maren Oduya (maren@example.com) has no authenticator app.",
      code: 1,
    });
    expect(await site.db.selectFrom("passkeys").select("id").execute()).toEqual([{ id: "k" }]);
    expect(world.emails).toEqual([]);
  });
});

describe("invalid commands", () => {
  test.each(["grant", "revoke", "confirm", "remove-second-step"])("%s of an unknown address", async (verb) => {
    expect(await run(verb, "nobody@example.com")).toEqual({ text: "There’s no account with the email nobody@example.com.", code: 1 });
  });

  test.each([[], ["grant"], ["promote", "maren@example.com"], ["toString", "a@b.c"], ["grant", "a@b.c", "d@e.f"], ["list", "all"]])(
    "%s %s %s is answered with the usage",
    async (...args) => {
      const { text, code } = await run(...args.filter((each) => each !== undefined));
      expect(code).toBe(1);
      expect(text).toMatch(/^Usage:\n {2}npm run admin -- grant EMAIL/);
    },
  );
});

describe("the program", () => {
  const program = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, "admin.ts"), ...args], {
      env: { PATH: process.env.PATH, ...world.environment },
    });

  test("works while the site runs", async () => {
    const { stdout, stderr } = await program("grant", "tobias@example.com");
    expect([stdout, stderr]).toEqual(["Tobias Lindqvist (tobias@example.com) now administers the site.\n", ""]);
    expect((await viewer("tobias"))?.staff).toBe("administrator");
  });

  test("leaves a database to upgrade to the site's start", async () => {
    const definitions = () => world.site.db.selectFrom("definitions").select(["name", "hash"]).orderBy("name").execute();
    await world.site.db.updateTable("definitions").set({ hash: "of an older version" }).execute();
    const before = await definitions();
    await expect(program("grant", "tobias@example.com")).rejects.toMatchObject({
      code: 1,
      stderr: "This version has newer migrations than the database. Restart the site first: its start applies them.\n",
    });
    expect(await definitions()).toEqual(before);
    expect((await viewer("tobias"))?.staff).toBe(null);
  });

  test("exits with 1 and the reason on standard error", async () => {
    await expect(program("grant", "nobody@example.com")).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: "There’s no account with the email nobody@example.com.\n",
    });
  });
});
