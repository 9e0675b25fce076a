import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { identify } from "#server/session/session.ts";
import { SoftAuthenticator } from "../../tests/support/soft-authenticator.ts";
import { codeOf } from "../../tests/support/totp.ts";
import { formPost, openWeb } from "../../tests/support/web.ts";
import { openWorld, password, type World } from "../../tests/support/world.ts";

const fresh = "a door in the hill";
const hourMs = 60 * 60 * 1000;
const firefox = "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0";
const safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile Safari/604.1";

let world: World;
let web: ReturnType<typeof openWeb>;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
});
afterEach(() => world.close());

/** A browser without JavaScript: it keeps its cookies. */
class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #userAgent: string;

  constructor(userAgent = firefox) {
    this.#userAgent = userAgent;
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("cookie", this.cookie);
    headers.set("user-agent", this.#userAgent);
    const answer = await web.request(path.replace(world.site.url, ""), { ...init, headers });
    for (const each of answer.headers.getSetCookie()) {
      const [pair = "", ...attributes] = each.split("; ");
      const at = pair.indexOf("=");
      if (attributes.includes("Max-Age=0")) this.#cookies.delete(pair.slice(0, at));
      else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }

  get(path: string): Promise<Response> {
    return this.#send(path, {});
  }

  post(path: string, fields: Record<string, string> = {}): Promise<Response> {
    return this.#send(path, formPost(fields));
  }

  async signIn(email: string, typed = password): Promise<Browser> {
    const answer = await this.post("/login", { email, password: typed });
    expect(answer.status).toBe(302);
    return this;
  }

  /** Whose session it has; null for nobody's. */
  async who(): Promise<string | null> {
    return (await identify(world.site, this.cookie)).viewer?.id ?? null;
  }
}

/** The newest link of a kind in what was mailed to an address, leaving out the first `seen` emails. */
async function linkTo(email: string, path: string, seen = 0): Promise<string> {
  const find = () =>
    world.emails
      .slice(seen)
      .filter(({ to }) => to === email)
      .map(({ text }) => new RegExp(`${world.site.url}${path}\\S+`).exec(text)?.[0])
      .findLast(Boolean);
  await expect.poll(find, { message: `a link to ${path} for ${email}` }).toBeTruthy();
  return String(find()).replace(world.site.url, "");
}

const subjectsTo = (email: string) => world.emails.filter(({ to }) => to === email).map(({ subject }) => subject);
const addressOf = async (userId: string) =>
  (await world.site.db.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirstOrThrow()).email;

/** Asks for a link for a new password, opens it and chooses one. */
async function recover(browser: Browser, email: string, chosen = fresh): Promise<Response> {
  const seen = world.emails.length;
  await browser.post("/forgot-password", { email });
  return browser.post(await linkTo(email, "/reset-password", seen), { password: chosen });
}

async function addPasskey(browser: Browser, device: SoftAuthenticator, name = "My laptop"): Promise<Response> {
  const begun = await browser.post("/account/passkeys/start", { password });
  if (!begun.ok) return begun;
  return browser.post("/account/passkeys/add", { name, response: JSON.stringify(device.register(await begun.json())) });
}

async function signInWithPasskey(browser: Browser, device: SoftAuthenticator): Promise<void> {
  const options = await (await browser.post("/login/passkey/start")).json();
  await browser.post("/login/passkey", { passkey: JSON.stringify(device.authenticate(options)) });
}

async function addAuthenticator(browser: Browser): Promise<string> {
  const page = await (await browser.post("/account/authenticator", { step: "start", password })).text();
  const address = (/name="address" value="([^"]*)"/.exec(page)?.[1] ?? "").replaceAll("&amp;", "&");
  expect((await browser.post("/account/authenticator", { step: "confirm", address, code: codeOf(address, world.site.now()) })).status).toBe(
    302,
  );
  return address;
}

describe("a link for a new address", () => {
  const evil = "evil@example.org";
  async function intruder(): Promise<{ browser: Browser; link: string }> {
    const browser = await new Browser().signIn(world.maren.email);
    await browser.post("/account?change=email", { email: evil, password });
    return { browser, link: await linkTo(evil, "/account/email") };
  }

  test("is void once the owner has recovered, has changed the password, or has signed out everywhere", async () => {
    const first = await intruder();
    await recover(new Browser(), world.maren.email);
    const signedIn = await new Browser().signIn(world.maren.email, fresh);
    for (const browser of [first.browser, signedIn]) await browser.post(first.link);
    expect(await addressOf(world.maren.id)).toBe(world.maren.email);

    await signedIn.post("/account?change=email", { email: evil, password: fresh });
    const second = await linkTo(evil, "/account/email");
    await signedIn.post("/account/devices", { all: "yes" });
    await signedIn.post(second);
    expect(await addressOf(world.maren.id)).toBe(world.maren.email);
  });

  test("needs a session of that account, to which signing in leads; opening it changes nothing", async () => {
    const { browser, link } = await intruder();
    const visitor = new Browser();
    for (const answer of [await visitor.get(link), await visitor.post(link)])
      expect(answer.headers.get("location")).toBe(`/login?then=${encodeURIComponent(link)}`);
    const tobias = await new Browser().signIn(world.tobias.email);
    expect(await (await tobias.get(link)).text()).toContain("This link belongs to another account.");
    await tobias.post(link);
    await browser.get(link);
    expect(await addressOf(world.maren.id)).toBe(world.maren.email);
    const back = await visitor.post(`/login?then=${encodeURIComponent(link)}`, { email: world.maren.email, password });
    expect(back.headers.get("location")).toBe(link);
    await visitor.post(link);
    expect(await addressOf(world.maren.id)).toBe(evil);
  });

  test("of two that were asked for the newer one works only", async () => {
    const { browser, link } = await intruder();
    await browser.post("/account?change=email", { email: "other@example.org", password });
    await browser.post(link);
    expect(await addressOf(world.maren.id)).toBe(world.maren.email);
    await browser.post(await linkTo("other@example.org", "/account/email"));
    expect(await addressOf(world.maren.id)).toBe("other@example.org");
  });

  test("is told to the present address, whose owner stops it; opening that link stops nothing", async () => {
    const { browser, link } = await intruder();
    const stop = await linkTo(world.maren.email, "/account/not-me");
    const owner = new Browser();
    expect(await (await owner.get(stop)).text()).toContain("Secure my account");
    expect(await browser.who()).toBe(world.maren.id);
    const next = (await owner.post(stop)).headers.get("location") ?? "";
    expect(next).toMatch(/^\/reset-password\?token=/);
    expect(await browser.who()).toBeNull();
    await owner.post(next, { password: fresh });
    await owner.signIn(world.maren.email, fresh);
    await owner.post(link);
    expect(await addressOf(world.maren.id)).toBe(world.maren.email);
    expect((await owner.post(stop)).headers.get("location")).toBe("/login");
    expect(await owner.who()).toBe(world.maren.id);
  });

  test("once used is undone from the old address for 72 hours, whatever was done to the account since", async () => {
    const { browser, link } = await intruder();
    await browser.post(link);
    expect(subjectsTo(world.maren.email)).toContain("Your email was changed (Inkstead)");
    const undo = await linkTo(world.maren.email, "/account/not-me");
    await browser.post("/account?change=password", { current: password, password: "of the thief" });
    await browser.post("/account?change=email", { email: "further@example.org", password: "of the thief" });
    await browser.post(await linkTo("further@example.org", "/account/email"));
    await recover(browser, "further@example.org", "of the thief again");
    const theirs = await linkTo(evil, "/account/not-me");
    world.clock.advance(71 * hourMs);
    const owner = new Browser(safari);
    const next = (await owner.post(undo)).headers.get("location") ?? "";
    await owner.post(next, { password: fresh });
    await owner.signIn(world.maren.email, fresh);
    expect([await addressOf(world.maren.id), await owner.who(), await browser.who()]).toEqual([world.maren.email, world.maren.id, null]);
    await browser.post(theirs);
    expect(await addressOf(world.maren.id)).toBe(world.maren.email);
  });

  test("once used can't be undone after 72 hours; until then nobody else gets the old address", async () => {
    const { browser, link } = await intruder();
    await browser.post(link);
    const undo = await linkTo(world.maren.email, "/account/not-me");
    const open = { name: "Squatter", email: world.maren.email, password };
    expect((await new Browser().post("/signup", open)).status).toBe(409);
    const tobias = await new Browser().signIn(world.tobias.email);
    expect((await tobias.post("/account?change=email", { email: world.maren.email, password })).status).toBe(409);
    world.clock.advance(73 * hourMs);
    expect((await new Browser().post(undo)).headers.get("location")).toBe("/login");
    expect(await addressOf(world.maren.id)).toBe(evil);
    expect((await new Browser().post("/signup", open)).status).toBe(302);
  });
});

describe("an account that somebody opened with another's address", () => {
  test("takes no passkey and no authenticator app before the address is confirmed, and says why", async () => {
    const thief = await new Browser().signIn(world.salma.email);
    expect((await addPasskey(thief, new SoftAuthenticator(world.site.url))).status).toBe(403);
    expect((await thief.post("/account/authenticator", { step: "start", password })).status).toBe(403);
    for (const path of ["/account", "/account/authenticator"]) {
      const page = await (await thief.get(path)).text();
      expect(page).toContain(" a confirmed email address. Open the link we sent to");
      expect(page).toContain("Send Again");
    }
  });

  test("is its owner's alone once they have come by their mail", async () => {
    const thief = await new Browser().signIn(world.salma.email);
    // As versions before this one let them.
    await world.site.db.updateTable("users").set({ emailVerified: true }).where("id", "=", world.salma.id).execute();
    const device = new SoftAuthenticator(world.site.url);
    await addPasskey(thief, device);
    await addAuthenticator(thief);
    await world.site.db.updateTable("users").set({ emailVerified: false }).where("id", "=", world.salma.id).execute();
    const owner = new Browser(safari);
    expect((await recover(owner, world.salma.email)).headers.get("location")).toBe("/login");
    const other = new Browser();
    await signInWithPasskey(other, device);
    await owner.signIn(world.salma.email, fresh);
    expect([await owner.who(), await thief.who(), await other.who()]).toEqual([world.salma.id, null, null]);
    expect(await (await owner.get("/account")).text()).not.toContain("My laptop");
  });
});

describe("recovering an account", () => {
  test("voids every other link, ends every session, and is told", async () => {
    const thief = await new Browser().signIn(world.maren.email);
    await thief.post("/forgot-password", { email: world.maren.email });
    const read = await linkTo(world.maren.email, "/reset-password");
    world.emails.length = 0;
    expect((await recover(new Browser(), world.maren.email)).headers.get("location")).toBe("/login");
    expect((await thief.post(read, { password: "of the thief" })).status).toBe(422);
    expect(await thief.who()).toBeNull();
    await expect.poll(() => subjectsTo(world.maren.email)).toContain("Your password was changed (Inkstead)");
  });

  test("asks what may still sign in; what is removed does not", async () => {
    const [thief, device] = [await new Browser().signIn(world.maren.email), new SoftAuthenticator(world.site.url)];
    await addPasskey(thief, device, "A thief’s key");
    const owner = new Browser(safari);
    const review = (await recover(owner, world.maren.email)).headers.get("location") ?? "";
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

  test("removes an authenticator app that was just added, and keeps an old one, with the second step", async () => {
    const first = await new Browser().signIn(world.maren.email);
    const address = await addAuthenticator(first);
    const owner = new Browser(safari);
    const review = (await recover(owner, world.maren.email)).headers.get("location") ?? "";
    await owner.post(review, { authenticator: "keep" });
    await owner.post("/login", { email: world.maren.email, password: fresh });
    expect(await owner.who()).toBeNull();
    // A code works once.
    world.clock.advance(4 * 60_000);
    await owner.post("/login/code", { code: codeOf(address, world.site.now()), trust: "yes" });
    expect(await owner.who()).toBe(world.maren.id);

    world.clock.advance(73 * hourMs);
    const again = (await recover(new Browser(), world.maren.email, password)).headers.get("location") ?? "";
    expect(await (await owner.get(again)).text()).toContain("Keep it to sign in with its codes");
    await owner.post(again, { authenticator: "remove" });
    // The browser that was trusted is not any more, either.
    await owner.post("/login", { email: world.maren.email, password });
    expect(await owner.who()).toBeNull();
  });
});

describe("what the owner is told", () => {
  test("a sign-in from a new device, which they throw out by a link that opens nothing by itself", async () => {
    const owner = await new Browser().signIn(world.maren.email);
    await owner.signIn(world.maren.email);
    const thief = await new Browser(safari).signIn(world.maren.email);
    await thief.signIn(world.maren.email);
    await expect.poll(() => subjectsTo(world.maren.email)).toEqual(["New sign-in to Inkstead"]);
    expect(world.emails[0]?.text).toContain("Safari on iPhone");
    await thief.post("/account?change=password", { current: password, password: "of the thief" });
    const notMe = await linkTo(world.maren.email, "/account/not-me");
    await owner.get(notMe);
    expect(await thief.who()).toBe(world.maren.id);
    expect((await owner.post(notMe)).headers.get("location")).toBe("/forgot-password?sent");
    expect(await thief.who()).toBeNull();
    await owner.post(await linkTo(world.maren.email, "/reset-password"), { password: fresh });
    await owner.signIn(world.maren.email, fresh);
    expect((await new Browser().post(notMe)).headers.get("location")).toBe("/login");
    expect(await owner.who()).toBe(world.maren.id);
  });

  test("a passkey and an authenticator app that were added, each with a link that removes it", async () => {
    const [thief, device] = [await new Browser().signIn(world.maren.email), new SoftAuthenticator(world.site.url)];
    await addPasskey(thief, device);
    await new Browser().post(await linkTo(world.maren.email, "/account/not-me"));
    expect(await thief.who()).toBeNull();
    await signInWithPasskey(thief, device);
    expect(await thief.who()).toBeNull();
    await thief.signIn(world.maren.email);
    await addAuthenticator(thief);
    await new Browser().post(await linkTo(world.maren.email, "/account/not-me"));
    await recover(new Browser(), world.maren.email);
    expect(await (await new Browser().signIn(world.maren.email, fresh)).who()).toBe(world.maren.id);
  });

  test("the security log says what happened, from which kind of device and network, and nothing of others", async () => {
    const browser = await new Browser().signIn(world.maren.email);
    await browser.post("/account?change=email", { email: "keeper@example.com", password });
    await browser.post("/account?change=password", { current: password, password: fresh });
    const page = await (await browser.get("/account")).text();
    for (const text of ["Security log", "Signed in", "Email change requested", "Password changed", "Firefox on Windows"])
      expect(page).toContain(text);
    const tobias = await new Browser(safari).signIn(world.tobias.email);
    const theirs = await (await tobias.get("/account")).text();
    expect(theirs).not.toContain("Password changed");
  });
});
