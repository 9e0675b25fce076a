import { afterEach, beforeEach, expect, test } from "vitest";
import { testEmail } from "#domain/mail/test-email.server.ts";
import { saveRule, setRuleEnabled } from "#domain/rules/rules.server.ts";
import { saveSettings } from "#domain/settings/settings.server.ts";
import { openPage, textOf } from "../../tests/support/pages.ts";
import { addPost } from "../../tests/support/posts.ts";
import { openWeb } from "../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";

/** The pages promise only what applies with the site's settings. */
let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const read = async (path: string) => textOf((await openPage(world, path)).html);
const set = (changes: Parameters<typeof saveSettings>[2]) => saveSettings(world.site, world.ruth, changes);
const withoutMail = () => Object.assign(world.site, { mail: { ...world.site.mail, delivers: false } });

test("/login offers sign-up only while registration is open", async () => {
  expect(await read("/login")).toContain("Don’t have an account? Sign Up");
  await set({ allowRegistration: false });
  const page = await read("/login");
  expect(page).toContain("Registration is closed.");
  expect(page).not.toContain("Don’t have an account?");
});

test("the landing page mentions messages, bookmarks and likes only if they are on", async () => {
  const promises = ["Message its author", "Bookmark for the train", "Views, likes and a page"];
  const page = await read("/");
  for (const promise of promises) expect(page).toContain(promise);
  await set({ enableMessages: false, enableBookmarks: false, enableLikes: false });
  const without = await read("/");
  for (const promise of promises) expect(without).not.toContain(promise);
});

test("the own profile offers bookmarks and messages only if they are on", async () => {
  const profile = async () => (await openPage(world, "/profile", { as: world.maren })).text.split("User Profile").at(-1);
  for (const text of ["Articles Bookmarked", "Bookmarks", "Messages"]) expect(await profile()).toContain(text);
  await set({ enableMessages: false, enableBookmarks: false });
  for (const text of ["Bookmark", "Messages"]) expect(await profile()).not.toContain(text);
});

test("the landing page promises publishing without approval only while no rule holds stories", async () => {
  const promises = ["Nobody approves it first", "no approval"];
  const conditions = [{ kind: "links", more: 2 } as const];
  for (const outcome of ["report", "hold"] as const) {
    const page = await read("/");
    for (const promise of promises) expect(page).toContain(promise);
    const id = await saveRule(world.site, world.ruth, undefined, { conditions, outcome, message: "We look first" });
    await setRuleEnabled(world.site, world.ruth, id, true);
  }
  const page = await read("/");
  for (const promise of promises) expect(page).not.toContain(promise);
  expect(page).toContain("unless one of the site’s rules holds it for review");
  await set({ landingIntro: "Ours, no approval." });
  expect(await read("/")).toContain("Ours, no approval.");
});

test("Help and Contact Us mention confirmation emails only if one is required and sent", async () => {
  const pages = async () => (await read("/help")) + (await read("/contact"));
  const promises = ["Send again", "a confirmed email", "missing confirmation email"];
  for (const promise of promises) expect(await pages()).toContain(promise);
  await set({ requireEmailVerification: false });
  for (const promise of promises) expect(await pages()).not.toContain(promise);
  await set({ requireEmailVerification: true });
  withoutMail();
  const page = await pages();
  for (const promise of promises) expect(page).not.toContain(promise);
  expect(page).toContain("To publish, you need a title and a picture.");
  expect(page).toContain("This site can’t send email yet");
});

test("Community Chat and Contact Us mention messages only while they are on", async () => {
  const pages = async () => (await read("/community-chat")) + (await read("/contact"));
  for (const promise of ["choose Message", "Message the author", "message each other"]) expect(await pages()).toContain(promise);
  await set({ enableMessages: false });
  for (const promise of ["choose Message", "Message the author", "message each other"]) expect(await pages()).not.toContain(promise);
});

test("Privacy mentions that an administrator can add an address with consent", async () => {
  expect(await read("/privacy")).toContain("or after you agreed to it elsewhere and an administrator added it");
});

test("the test email promises replies only if a contact address is set", () => {
  expect(testEmail(world.site).text).toMatch(/go to the sender above.*MAIL_REPLY_TO/s);
  world.site.contactEmail = "desk@stories.example";
  expect(testEmail(world.site).text).toContain("Replies go to desk@stories.example.");
});

test("the admin area uses the singular for one, and the settings' labels in the log", async () => {
  const { cookie } = await signIn(world, world.ruth, { reauthenticated: true });
  await addPost(world, world.maren, { id: "moor" });
  await set({ siteName: "Night Bus", landingIntro: "Hello" });
  const get = async (path: string) => textOf(await (await openWeb(world).request(path, { headers: { cookie } })).text());
  expect(await get("/admin/posts")).toContain("Showing 1 to 1 of 1 post ");
  for (const path of ["/admin/settings", "/admin/audit"]) {
    const page = await get(path);
    for (const text of ["Site name Inkstead → Night Bus", "Introduction {name} is where"]) expect(page).toContain(text);
  }
});
