import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { notMeLink } from "#domain/accounts/security/not-me-links.server.ts";
import {
  addAuthenticator,
  addPasskey,
  addressOf,
  linkTo,
  newPassword,
  recover,
  signInWithPasskey,
  subjectsTo,
} from "../../tests/support/browsers/account-security.ts";
import { PlainBrowser, safari } from "../../tests/support/browsers/plain-browser.ts";
import { VirtualAuthenticator } from "../../tests/support/virtual-authenticator.ts";
import { openWeb } from "../../tests/support/web.ts";
import { openWorld, password, type World } from "../../tests/support/world.ts";

const hourMs = 60 * 60 * 1000;

let world: World;
let web: ReturnType<typeof openWeb>;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
});
afterEach(() => world.close());

const openBrowser = (userAgent?: string) => new PlainBrowser({ world, web }, userAgent);

describe("a link for a new address", () => {
  const evil = "evil@example.org";
  async function intruder(): Promise<{ browser: PlainBrowser; link: string }> {
    const browser = await openBrowser().signIn(world.maren.email);
    await browser.post("/account?change=email", { email: evil, password });
    return { browser, link: await linkTo(world, evil, "/account/email") };
  }

  test("stops working after a recovery, a password change or signing out everywhere", async () => {
    const first = await intruder();
    await recover(world, openBrowser(), world.maren.email);
    const signedIn = await openBrowser().signIn(world.maren.email, newPassword);
    for (const browser of [first.browser, signedIn]) await browser.post(first.link);
    expect(await addressOf(world, world.maren.id)).toBe(world.maren.email);

    await signedIn.post("/account?change=email", { email: evil, password: newPassword });
    const second = await linkTo(world, evil, "/account/email");
    await signedIn.post("/account/devices", { all: "yes" });
    await signedIn.post(second);
    expect(await addressOf(world, world.maren.id)).toBe(world.maren.email);
  });

  test("needs a session of that account; opening it changes nothing", async () => {
    const { browser, link } = await intruder();
    const visitor = openBrowser();
    for (const answer of [await visitor.get(link), await visitor.post(link)])
      expect(answer.headers.get("location")).toBe(`/login?then=${encodeURIComponent(link)}`);
    const tobias = await openBrowser().signIn(world.tobias.email);
    expect(await (await tobias.get(link)).text()).toContain("This link belongs to another account.");
    await tobias.post(link);
    await browser.get(link);
    expect(await addressOf(world, world.maren.id)).toBe(world.maren.email);
    const back = await visitor.post(`/login?then=${encodeURIComponent(link)}`, { email: world.maren.email, password });
    expect(back.headers.get("location")).toBe(link);
    await visitor.post(link);
    expect(await addressOf(world, world.maren.id)).toBe(evil);
  });

  test("only the newer of two works", async () => {
    const { browser, link } = await intruder();
    await browser.post("/account?change=email", { email: "other@example.org", password });
    await browser.post(link);
    expect(await addressOf(world, world.maren.id)).toBe(world.maren.email);
    await browser.post(await linkTo(world, "other@example.org", "/account/email"));
    expect(await addressOf(world, world.maren.id)).toBe("other@example.org");
  });

  test("notifies the current address, whose owner can stop it with a click", async () => {
    const { browser, link } = await intruder();
    const stop = await linkTo(world, world.maren.email, "/account/not-me");
    const owner = openBrowser();
    expect(await (await owner.get(stop)).text()).toContain("Secure my account");
    expect(await browser.who()).toBe(world.maren.id);
    const next = (await owner.post(stop)).headers.get("location") ?? "";
    expect(next).toMatch(/^\/reset-password\?token=/);
    expect(await browser.who()).toBeNull();
    await owner.post(next, { password: newPassword });
    await owner.signIn(world.maren.email, newPassword);
    await owner.post(link);
    expect(await addressOf(world, world.maren.id)).toBe(world.maren.email);
    expect((await owner.post(stop)).headers.get("location")).toBe("/login");
    expect(await owner.who()).toBe(world.maren.id);
  });

  test("once used, can be undone from the old address for 72 hours, whatever changed since", async () => {
    const { browser, link } = await intruder();
    await browser.post(link);
    expect(subjectsTo(world, world.maren.email)).toContain("Your email was changed (Inkstead)");
    const undo = await linkTo(world, world.maren.email, "/account/not-me");
    await browser.post("/account?change=password", { current: password, password: "of the thief" });
    await browser.post("/account?change=email", { email: "further@example.org", password: "of the thief" });
    await browser.post(await linkTo(world, "further@example.org", "/account/email"));
    await recover(world, browser, "further@example.org", "of the thief again");
    const theirs = await linkTo(world, evil, "/account/not-me");
    world.clock.advance(71 * hourMs);
    const owner = openBrowser(safari);
    const next = (await owner.post(undo)).headers.get("location") ?? "";
    await owner.post(next, { password: newPassword });
    await owner.signIn(world.maren.email, newPassword);
    expect([await addressOf(world, world.maren.id), await owner.who(), await browser.who()]).toEqual([
      world.maren.email,
      world.maren.id,
      null,
    ]);
    await browser.post(theirs);
    expect(await addressOf(world, world.maren.id)).toBe(world.maren.email);
  });

  test("once used, can't be undone after 72 hours; until then the old address stays reserved", async () => {
    const { browser, link } = await intruder();
    await browser.post(link);
    const undo = await linkTo(world, world.maren.email, "/account/not-me");
    const open = { name: "Squatter", email: world.maren.email, password };
    expect((await openBrowser().post("/signup", open)).status).toBe(409);
    const tobias = await openBrowser().signIn(world.tobias.email);
    expect((await tobias.post("/account?change=email", { email: world.maren.email, password })).status).toBe(409);
    world.clock.advance(73 * hourMs);
    expect((await openBrowser().post(undo)).headers.get("location")).toBe("/login");
    expect(await addressOf(world, world.maren.id)).toBe(evil);
    expect((await openBrowser().post("/signup", open)).status).toBe(302);
  });
});

describe("an account created with someone else's address", () => {
  test("accepts no passkey or authenticator app before the address is confirmed", async () => {
    const thief = await openBrowser().signIn(world.salma.email);
    expect((await addPasskey(thief, new VirtualAuthenticator(world.site.url))).status).toBe(403);
    expect((await thief.post("/account/authenticator", { step: "start", password })).status).toBe(403);
    for (const path of ["/account", "/account/authenticator"]) {
      const page = await (await thief.get(path)).text();
      expect(page).toContain(" a confirmed email address. Open the link we sent to");
      expect(page).toContain("Send again");
    }
  });

  test("gives that address no link to cancel or undo a change, and frees it", async () => {
    const salma = await openBrowser().signIn(world.salma.email);
    const right = "salma.haddad@example.org";
    await salma.post("/account?change=email", { email: right, password });
    await salma.post(await linkTo(world, right, "/account/email"));
    await salma.post(await linkTo(world, right, "/account/email"));
    expect(await addressOf(world, world.salma.id)).toBe(right);
    expect(subjectsTo(world, world.salma.email)).toEqual([]);
    const change = await world.site.db.selectFrom("email_changes").select("id").executeTakeFirstOrThrow();
    const claim = { kind: "email-change", id: change.id, userId: world.salma.id, to: world.salma.email } as const;
    const answer = await openBrowser().post((await notMeLink(world.site, claim)).replace(world.site.url, ""));
    expect([answer.headers.get("location"), await addressOf(world, world.salma.id)]).toEqual(["/login", right]);
    expect((await openBrowser().post("/signup", { name: "Sal Moreau", email: world.salma.email, password })).status).toBe(302);
  });

  test("belongs to the owner of the address once they recover it", async () => {
    const thief = await openBrowser().signIn(world.salma.email);
    // As earlier versions allowed.
    await world.site.db.updateTable("users").set({ emailVerified: true }).where("id", "=", world.salma.id).execute();
    const device = new VirtualAuthenticator(world.site.url);
    await addPasskey(thief, device);
    await addAuthenticator(world, thief);
    await world.site.db.updateTable("users").set({ emailVerified: false }).where("id", "=", world.salma.id).execute();
    const owner = openBrowser(safari);
    expect((await recover(world, owner, world.salma.email)).headers.get("location")).toBe("/login");
    const other = openBrowser();
    await signInWithPasskey(other, device);
    await owner.signIn(world.salma.email, newPassword);
    expect([await owner.who(), await thief.who(), await other.who()]).toEqual([world.salma.id, null, null]);
    expect(await (await owner.get("/account")).text()).not.toContain("My laptop");
  });
});
