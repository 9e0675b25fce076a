import { afterEach, beforeEach, expect, test } from "vitest";
import { findAndRenewSession } from "#server/session/session.ts";
import { VirtualAuthenticator } from "../../../tests/support/virtual-authenticator.ts";
import { signIn as openSession, openWorld, password, type World } from "../../../tests/support/world.ts";
import { readPasskeys } from "./passkey-reads.server.ts";
import { addPasskey, removePasskey, signInWithPasskey, startPasskey, startPasskeySignIn } from "./passkeys.server.ts";

const browser = { ip: "192.0.2.7", userAgent: "Firefox" };

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const jar = (...cookies: string[]) => cookies.map((cookie) => cookie.split(";")[0]).join("; ");

async function add(device: VirtualAuthenticator) {
  const { cookie, member } = await openSession(world, world.maren);
  const { options, cookies } = await startPasskey(world.site, member, { ...browser, cookie }, password);
  const origin = { ...browser, cookie: `${cookie}; ${jar(...cookies)}` };
  await addPasskey(world.site, member, origin, { name: "My laptop", response: device.register(options) });
  return { member, origin };
}

async function prepareSignIn(device: VirtualAuthenticator) {
  const { options, cookies } = await startPasskeySignIn(world.site, browser);
  const request = { ...browser, cookie: jar(...cookies) };
  const answer = device.authenticate(options);
  return { request, answer, signIn: () => signInWithPasskey(world.site, request, answer) };
}

test("a passkey signs in until it is removed; the owner gets emails about both", async () => {
  const device = new VirtualAuthenticator("http://inkstead.test");
  const { member } = await add(device);
  const [passkey] = await readPasskeys(world.site.db, member.id);
  expect(passkey).toMatchObject({ name: "My laptop" });
  const { signIn } = await prepareSignIn(device);
  expect((await findAndRenewSession(world.site, jar(...(await signIn())))).viewer?.id).toBe(member.id);
  await expect(signIn()).rejects.toMatchObject({ code: "invalid" });
  await removePasskey(world.site, world.tobias, browser, String(passkey?.id));
  expect(await readPasskeys(world.site.db, member.id)).toHaveLength(1);
  await removePasskey(world.site, member, browser, String(passkey?.id));
  await expect((await prepareSignIn(device)).signIn()).rejects.toMatchObject({ code: "invalid" });
  expect(world.emails.map(({ subject }) => subject)).toEqual(["A passkey was added (Inkstead)", "A passkey was removed (Inkstead)"]);
});

test("passkeys without user verification, or for another site, are rejected", async () => {
  const silent = new VirtualAuthenticator("http://inkstead.test", { verifies: false });
  await add(silent);
  await expect((await prepareSignIn(silent)).signIn()).rejects.toMatchObject({ code: "invalid" });
  await expect(add(new VirtualAuthenticator("http://elsewhere.test"))).rejects.toMatchObject({ code: "invalid" });
});
