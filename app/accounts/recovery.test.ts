import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  addAuthenticator,
  addPasskey,
  linkTo,
  newPassword,
  recover,
  signInWithPasskey,
  subjectsTo,
} from "../../tests/support/browsers/account-security.ts";
import { PlainBrowser, safari } from "../../tests/support/browsers/plain-browser.ts";
import { codeOf } from "../../tests/support/totp.ts";
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

describe("recovering an account", () => {
  test("invalidates other links, ends all sessions and emails the owner", async () => {
    const thief = await openBrowser().signIn(world.maren.email);
    await thief.post("/forgot-password", { email: world.maren.email });
    const read = await linkTo(world, world.maren.email, "/reset-password");
    world.emails.length = 0;
    expect((await recover(world, openBrowser(), world.maren.email)).headers.get("location")).toBe("/login");
    expect((await thief.post(read, { password: "of the thief" })).status).toBe(422);
    expect(await thief.who()).toBeNull();
    await expect.poll(() => subjectsTo(world, world.maren.email)).toContain("Your password was changed (Inkstead)");
  });

  test("reviews the sign-in methods; removed ones stop working", async () => {
    const [thief, device] = [await openBrowser().signIn(world.maren.email), new VirtualAuthenticator(world.site.url)];
    await addPasskey(thief, device, "A thief’s key");
    const owner = openBrowser(safari);
    const review = (await recover(world, owner, world.maren.email)).headers.get("location") ?? "";
    const page = await (await owner.get(review)).text();
    expect(page).toContain("A thief’s key");
    expect(world.emails.find(({ subject }) => subject.startsWith("Your password was changed"))?.text).toContain("A thief’s key");
    expect((await owner.post(review)).status).toBe(422);
    const id = /type="radio"[^>]*name="([^"]+)"/.exec(page)?.[1] ?? "";
    expect((await owner.post(review, { [id]: "remove" })).headers.get("location")).toBe("/login");
    await signInWithPasskey(thief, device);
    expect(await thief.who()).toBeNull();
    expect(await (await owner.get("/reset-password/review?token=made.up.one")).text()).not.toContain("A thief’s key");
  });

  test("can remove a recent authenticator app, but keeps an old one as the second step", async () => {
    const first = await openBrowser().signIn(world.maren.email);
    const address = await addAuthenticator(world, first);
    const owner = openBrowser(safari);
    const review = (await recover(world, owner, world.maren.email)).headers.get("location") ?? "";
    await owner.post(review, { authenticator: "keep" });
    await owner.post("/login", { email: world.maren.email, password: newPassword });
    expect(await owner.who()).toBeNull();
    // A code works once.
    world.clock.advance(4 * 60_000);
    await owner.post("/login/code", { code: codeOf(address, world.site.now()), trust: "yes" });
    expect(await owner.who()).toBe(world.maren.id);

    world.clock.advance(73 * hourMs);
    const again = (await recover(world, openBrowser(), world.maren.email, password)).headers.get("location") ?? "";
    expect(await (await owner.get(again)).text()).toContain("Keep it to sign in with its codes");
    await owner.post(again, { authenticator: "remove" });
    // The browser is no longer trusted, either.
    await owner.post("/login", { email: world.maren.email, password });
    expect(await owner.who()).toBeNull();
  });
});

describe("emails to the owner", () => {
  test("report a sign-in from a new device, with a link to end it that needs a click", async () => {
    const owner = await openBrowser().signIn(world.maren.email);
    await owner.signIn(world.maren.email);
    const thief = await openBrowser(safari).signIn(world.maren.email);
    await thief.signIn(world.maren.email);
    await expect.poll(() => subjectsTo(world, world.maren.email)).toEqual(["New sign-in to Inkstead"]);
    expect(world.emails[0]?.text).toContain("Safari on iPhone");
    await thief.post("/account?change=password", { current: password, password: "of the thief" });
    const notMe = await linkTo(world, world.maren.email, "/account/not-me");
    await owner.get(notMe);
    expect(await thief.who()).toBe(world.maren.id);
    expect((await owner.post(notMe)).headers.get("location")).toBe("/forgot-password?sent");
    expect(await thief.who()).toBeNull();
    // A new password of the intruder's would void the owner's link.
    expect((await thief.post("/login", { email: world.maren.email, password: "of the thief" })).status).toBe(422);
    await owner.post(await linkTo(world, world.maren.email, "/reset-password"), { password: newPassword });
    await owner.signIn(world.maren.email, newPassword);
    expect((await openBrowser().post(notMe)).headers.get("location")).toBe("/login");
    expect(await owner.who()).toBe(world.maren.id);
  });

  test("report an added passkey and authenticator app, each with a link to remove it", async () => {
    const [thief, device] = [await openBrowser().signIn(world.maren.email), new VirtualAuthenticator(world.site.url)];
    await addPasskey(thief, device);
    await openBrowser().post(await linkTo(world, world.maren.email, "/account/not-me"));
    expect(await thief.who()).toBeNull();
    await signInWithPasskey(thief, device);
    expect(await thief.who()).toBeNull();
    await recover(world, openBrowser(), world.maren.email, password);
    await thief.signIn(world.maren.email);
    await addAuthenticator(world, thief);
    await openBrowser().post(await linkTo(world, world.maren.email, "/account/not-me"));
    await recover(world, openBrowser(), world.maren.email);
    expect(await (await openBrowser().signIn(world.maren.email, newPassword)).who()).toBe(world.maren.id);
  });

  test("the security log shows only the member's own events, with device and network", async () => {
    const browser = await openBrowser().signIn(world.maren.email);
    await browser.post("/account?change=email", { email: "keeper@example.com", password });
    await browser.post("/account?change=password", { current: password, password: newPassword });
    const page = await (await browser.get("/account")).text();
    for (const text of ["Security log", "Signed in", "Email change requested", "Password changed", "Firefox on Windows"])
      expect(page).toContain(text);
    const tobias = await openBrowser(safari).signIn(world.tobias.email);
    const theirs = await (await tobias.get("/account")).text();
    expect(theirs).not.toContain("Password changed");
  });
});
