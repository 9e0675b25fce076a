import { expect } from "vitest";
import { codeOf } from "../totp.ts";
import type { VirtualAuthenticator } from "../virtual-authenticator.ts";
import { password, type World } from "../world.ts";
import type { PlainBrowser } from "./plain-browser.ts";

/** The password that the owner chooses at recovery. */
export const newPassword = "a door in the hill";

/** The newest link of a kind in the emails to an address, without the first `seen`. */
export async function linkTo(world: World, email: string, path: string, seen = 0): Promise<string> {
  const find = () =>
    world.emails
      .slice(seen)
      .filter(({ to }) => to === email)
      .map(({ text }) => new RegExp(`${world.site.url}${path}\\S+`).exec(text)?.[0])
      .findLast(Boolean);
  await expect.poll(find, { message: `a link to ${path} for ${email}` }).toBeTruthy();
  return String(find()).replace(world.site.url, "");
}

export const subjectsTo = (world: World, email: string) => world.emails.filter(({ to }) => to === email).map(({ subject }) => subject);
export const addressOf = async (world: World, userId: string) =>
  (await world.site.db.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirstOrThrow()).email;

/** Requests a password reset link, opens it and chooses a password. */
export async function recover(world: World, browser: PlainBrowser, email: string, chosen = newPassword): Promise<Response> {
  const seen = world.emails.length;
  await browser.post("/forgot-password", { email });
  return browser.post(await linkTo(world, email, "/reset-password", seen), { password: chosen });
}

export async function addPasskey(browser: PlainBrowser, device: VirtualAuthenticator, name = "My laptop"): Promise<Response> {
  const started = await browser.post("/account/passkeys/start", { password });
  if (!started.ok) return started;
  return browser.post("/account/passkeys/add", { name, response: JSON.stringify(device.register(await started.json())) });
}

export async function signInWithPasskey(browser: PlainBrowser, device: VirtualAuthenticator): Promise<void> {
  const options = await (await browser.post("/login/passkey/start")).json();
  await browser.post("/login/passkey", { passkey: JSON.stringify(device.authenticate(options)) });
}

export async function addAuthenticator(world: World, browser: PlainBrowser): Promise<string> {
  const page = await (await browser.post("/account/authenticator", { step: "start", password })).text();
  const address = (/name="address" value="([^"]*)"/.exec(page)?.[1] ?? "").replaceAll("&amp;", "&");
  expect((await browser.post("/account/authenticator", { step: "confirm", address, code: codeOf(address, world.site.now()) })).status).toBe(
    302,
  );
  return address;
}
