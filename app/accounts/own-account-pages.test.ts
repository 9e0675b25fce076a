import { unzipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { authenticateApiKey, createApiKeyFor, listApiKeys } from "#domain/accounts/api-keys/api-keys.server.ts";
import { readOwnAccount } from "#domain/accounts/own-account.server.ts";
import { readPasskeys } from "#domain/accounts/sign-in/passkey-reads.server.ts";
import { readOwnSubscription } from "#domain/newsletter/member-subscription.server.ts";
import { findAndRenewSession } from "#server/session/session.ts";
import { addPasskey } from "../../tests/support/browsers/account-security.ts";
import { PlainBrowser } from "../../tests/support/browsers/plain-browser.ts";
import { codeOf } from "../../tests/support/totp.ts";
import { VirtualAuthenticator } from "../../tests/support/virtual-authenticator.ts";
import { formPost, openWeb } from "../../tests/support/web.ts";
import { openWorld, password, signIn, type World } from "../../tests/support/world.ts";

let world: World;
let web: ReturnType<typeof openWeb>;
let cookie: string;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
  cookie = (await signIn(world, world.maren)).cookie;
});
afterEach(() => world.close());

const get = (path: string, as = cookie) => web.request(path, { headers: { cookie: as } });
const post = (path: string, fields: Record<string, string>, as = cookie) => web.request(path, formPost(fields, { cookie: as }));
const jar = (before: string, answer: Response) => {
  const all = [...before.split("; "), ...answer.headers.getSetCookie().map((each) => each.split(";")[0] ?? "")].filter(Boolean);
  return [...new Map(all.map((each) => [each.split("=")[0], each])).values()].join("; ");
};
const toastOf = (answer: Response) => decodeURIComponent(/inkstead_toast=([^;]*)/.exec(answer.headers.getSetCookie().join())?.[1] ?? "");
const hidden = (page: string, name: string) =>
  [...page.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, "g"))].map(([, value]) => (value ?? "").replaceAll("&amp;", "&"));

describe("/account", () => {
  test("shows all sections to members only", async () => {
    expect((await get("/account", "")).headers.get("location")).toBe("/login?then=%2Faccount");
    const page = await (await get("/account")).text();
    for (const text of [
      "Name",
      "Email",
      "Password",
      "Authenticator app",
      "Passkeys",
      "Devices",
      "This device",
      "Download everything",
      "Delete my account",
    ])
      expect(page).toContain(text);
    expect(await (await get("/profile")).text()).toContain('href="/account"');
  });

  test("saves the newsletter choice without JavaScript", async () => {
    const isOn = async () => /<input[^>]*name="newsletter"[^>]* checked=""/.test(await (await get("/account")).text());
    expect(await isOn()).toBe(false);
    expect(toastOf(await post("/account?change=email-preferences", { newsletter: "on" }))).toContain(
      "Your email preferences have been saved.",
    );
    expect(await isOn()).toBe(true);
    expect((await post("/account?change=email-preferences", {}, "")).status).toBe(302);
  });

  test("doesn't change the account of a member who has signed in since", async () => {
    const userId = world.tobias.id;
    const page = await (await get("/account", (await signIn(world, world.tobias)).cookie)).text();
    expect(new Set(hidden(page, "userId"))).toEqual(new Set([userId]));
    const renamed = await post("/account?change=name", { name: "Tobias H.", userId });
    expect(renamed.status).toBe(403);
    const refused = await renamed.text();
    for (const text of ["You’re signed in with another account", 'value="Tobias H."', `name="userId" value="${userId}"`])
      expect(refused).toContain(text);
    const subscribed = await post("/account?change=email-preferences", { newsletter: "on", userId });
    expect(toastOf(subscribed)).toContain("You’re signed in with another account");
    await signIn(world, world.maren);
    expect((await post("/account/devices", { all: "yes", userId })).status).toBe(403);
    const { viewer } = await findAndRenewSession(world.site, cookie);
    const { name, devices } = await readOwnAccount(world.site, viewer);
    expect([name, devices.length]).toEqual([world.maren.name, 2]);
    expect(await readOwnSubscription(world.site, viewer)).toBe(false);
  });

  test("shows errors at their fields and drops passwords", async () => {
    const answer = await post("/account?change=password", { current: "wrong one here", password: "short" });
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(page).toContain("Password must be at least 8 characters");
    expect(page).not.toContain("wrong one here");
    const wrong = await post("/account?change=email", { email: "keeper@example.com", password: "wrong one" });
    const text = await wrong.text();
    expect(text).toContain("Incorrect password");
    expect(text).toContain('value="keeper@example.com"');
  });

  test("changes name, password and email without JavaScript", async () => {
    expect(toastOf(await post("/account?change=name", { name: "Maren O." }))).toContain("Your name has been changed.");
    const changed = await post("/account?change=password", { current: password, password: "another lamp" });
    expect(toastOf(changed)).toContain("signed out");
    const old = cookie;
    cookie = jar(cookie, changed);
    expect((await findAndRenewSession(world.site, old)).viewer).toBeNull();
    expect((await findAndRenewSession(world.site, cookie)).viewer?.id).toBe(world.maren.id);
    expect(toastOf(await post("/account?change=email", { email: "keeper@example.com", password: "another lamp" }))).toContain(
      "keeper@example.com",
    );
    const link = /http:\/\/inkstead\.test(\/account\/email\S+)/.exec(world.emails.at(-2)?.text ?? "")?.[1] ?? "";
    expect(await (await get(link)).text()).toContain("keeper@example.com");
    expect(toastOf(await post(link, {}))).toContain("Your email address has been changed.");
    expect((await findAndRenewSession(world.site, cookie)).viewer?.email).toBe("keeper@example.com");
    expect(await (await get("/account/email?token=made.up.one")).text()).toContain("This link has expired or was already used.");
  });

  test("signs out other devices, one or all", async () => {
    const { cookie: other, member } = await signIn(world, world.maren);
    await post("/account/devices", { id: String(member.sessionId) });
    expect((await findAndRenewSession(world.site, other)).viewer).toBeNull();
    const { cookie: third } = await signIn(world, world.maren);
    await post("/account/devices", { all: "yes" });
    expect((await findAndRenewSession(world.site, third)).viewer).toBeNull();
    expect((await findAndRenewSession(world.site, cookie)).viewer?.id).toBe(world.maren.id);
  });
});

test("sets up and uses an authenticator app without JavaScript; a wrong code keeps the QR code", async () => {
  const setupPage = await (await post("/account/authenticator", { step: "start", password })).text();
  const [address = ""] = hidden(setupPage, "address");
  const backup = hidden(setupPage, "backup");
  expect(backup).toHaveLength(10);
  const wrong = await (
    await post("/account/authenticator", { step: "confirm", address, code: "000000", backup: String(backup[0]) })
  ).text();
  expect(wrong).toContain("That code didn’t work.");
  expect(hidden(wrong, "address")).toEqual([address]);
  const done = await post("/account/authenticator", { step: "confirm", address, code: codeOf(address, world.site.now()) });
  cookie = jar(cookie, done);
  expect(await (await get("/account")).text()).toContain("On. You need a code to sign in.");

  const first = await post("/login?then=/all-posts", { email: world.maren.email, password }, "");
  expect(first.headers.get("location")).toBe("/login/code?then=%2Fall-posts");
  const half = jar("", first);
  expect((await findAndRenewSession(world.site, half)).viewer).toBeNull();
  const refused = await post("/login/code?then=/all-posts", { code: "" }, half);
  expect(await refused.text()).toContain("Code is required");
  const second = await post("/login/code?then=/all-posts", { code: codeOf(address, world.site.now() + 30_000) }, half);
  expect(second.headers.get("location")).toBe("/all-posts");
  expect((await findAndRenewSession(world.site, jar(half, second))).viewer?.id).toBe(world.maren.id);
});

test("removes a passkey or an API key only after a question without JavaScript", async () => {
  const device = new VirtualAuthenticator("http://inkstead.test");
  const browser = await new PlainBrowser({ world, web }).signIn(world.maren.email);
  await addPasskey(browser, device, "My laptop");
  const [passkey] = await readPasskeys(world.site.db, world.maren.id);
  const path = `/account/passkeys/${passkey?.id}/remove`;
  const question = await (await browser.post(path)).text();
  for (const text of ["Remove this passkey?", "You won’t be able to sign in with My laptop."]) expect(question).toContain(text);
  expect(await readPasskeys(world.site.db, world.maren.id)).toHaveLength(1);
  expect(toastOf(await browser.post(path, { confirmed: "yes" }))).toContain("The passkey has been removed.");
  expect(await readPasskeys(world.site.db, world.maren.id)).toEqual([]);

  const { secret } = await createApiKeyFor(world.site, world.maren.email, { name: "Old script", scopes: ["read"], days: 30 });
  const [key] = await listApiKeys(world.site, world.maren);
  const fields = { step: "remove", id: String(key?.id) };
  const asked = await (await browser.post("/account/keys", fields)).text();
  for (const text of ["Remove this key?", "Apps using Old script will lose access."]) expect(asked).toContain(text);
  expect(hidden(asked, "id")).toEqual([key?.id]);
  expect(await authenticateApiKey(world.site, secret)).toMatchObject({ userId: world.maren.id });
  expect(toastOf(await browser.post("/account/keys", { ...fields, confirmed: "yes" }))).toContain("The key has been removed.");
  expect(await authenticateApiKey(world.site, secret)).toBeUndefined();
});

test("offers the export as a plain link", async () => {
  expect(await (await get("/account/export")).text()).toContain('href="/account/export/everything.zip"');
  const answer = await get("/account/export/everything.zip");
  expect(answer.headers.get("content-type")).toBe("application/zip");
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="inkstead-\d{4}-\d\d-\d\d\.zip"$/);
  expect(Object.keys(unzipSync(new Uint8Array(await answer.arrayBuffer())))).toContain("account.json");
  expect((await get("/account/export/everything.zip", "")).status).toBe(302);
});

test("deleting the account lists what is deleted and kept, and needs the password", async () => {
  const page = await (await get("/account/delete")).text();
  for (const text of ["What we delete", "What we keep", "Your stories and drafts", "Your conversations"]) expect(page).toContain(text);
  expect(await (await post("/account/delete", { password: "wrong one" })).text()).toContain("Incorrect password");
  const answer = await post("/account/delete", { password });
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/"]);
  expect((await findAndRenewSession(world.site, cookie)).viewer).toBeNull();
  expect((await get(`/profile/${world.maren.id}`)).status).toBe(410);
});
