import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sendConfirmationAgain } from "#domain/accounts/confirmation.server.ts";
import { findAndRenewSession } from "#server/session/session.ts";
import { until } from "../../tests/support/until.ts";
import { formPost, openWeb } from "../../tests/support/web.ts";
import { openWorld, password, signIn, type World } from "../../tests/support/world.ts";

const ines = { name: "Ines Carvalho", email: "ines@example.com", password: "Lamp-room 1911" };

let world: World;
let web: ReturnType<typeof openWeb>;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
});
afterEach(() => world.close());

const post = (path: string, fields: Record<string, string>, headers?: Record<string, string>) =>
  web.request(path, formPost(fields, headers));
const get = (path: string, cookie = "") => web.request(path, { headers: { cookie } });

/** The cookies that an answer sets, as the browser sends them back. */
const cookieOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
const toastOf = (answer: Response) => decodeURIComponent(/inkstead_toast=([^;]*)/.exec(cookieOf(answer))?.[1] ?? "");
const viewerOf = async (answer: Response) => (await findAndRenewSession(world.site, cookieOf(answer))).viewer;
const linkIn = (emailMessage: { text: string } | undefined) => /http:\/\/inkstead\.test(\S+)/.exec(emailMessage?.text ?? "")?.[1] ?? "";

describe("/signup", () => {
  test("shows the form", async () => {
    const html = await (await get("/signup")).text();
    for (const text of ["Create an Account", "Full Name", "Sign In", "At least 8 characters"]) expect(html).toContain(text);
  });

  test("welcomes the new member and opens the home page", async () => {
    const answer = await post("/signup", ines);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/"]);
    expect(toastOf(answer)).toBe('[{"tone":"success","text":"Welcome to Inkstead!"}]');
    expect(await viewerOf(answer)).toMatchObject({ name: ines.name });
  });

  test("shows errors at their fields and keeps everything but the password", async () => {
    const answer = await post("/signup", { name: "I", email: "ines@inkstead", password: "lamp911" });
    const html = await answer.text();
    expect(answer.status).toBe(422);
    for (const text of [
      "Name must be at least 2 characters",
      "Please enter a valid email address",
      "Password must be at least 8 characters",
    ])
      expect(html).toContain(text);
    expect(html).toContain('value="ines@inkstead"');
    expect(html).not.toContain("lamp911");
  });

  test("rejects a common password with an error at the field", async () => {
    const answer = await post("/signup", { ...ines, password: "sunshine1" });
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(html).toContain("This password is too common. Please choose another.");
    expect(html).toContain(`value="${ines.email}"`);
    expect(html).not.toContain("sunshine1");
  });

  test("reports a taken address", async () => {
    const answer = await post("/signup", { ...ines, email: world.maren.email });
    expect(answer.status).toBe(409);
    const html = await answer.text();
    expect(html).toContain("An account with this email address already exists");
    expect(html).not.toContain(ines.password);
  });

  test("reports the rate limit and keeps the values", async () => {
    const row = { kind: "sign-up", subject: "", network: "unknown", count: 60, endsAt: world.site.now() + 60_000 };
    await world.site.db.insertInto("attempts").values(row).execute();
    const answer = await post("/signup", ines);
    expect(answer.status).toBe(429);
    const html = await answer.text();
    expect(html).toContain("Too many attempts. Please try again in a minute.");
    expect(html).toContain(`value="${ines.name}"`);
  });

  test("is closed while registration is closed", async () => {
    world.site.settings.allowRegistration = false;
    const html = await (await get("/signup")).text();
    expect(html).toContain("Registration is closed");
    expect(html).toContain("Sign In");
    expect(html).not.toContain("Full Name");
    expect((await post("/signup", ines)).status).toBe(403);
  });
});

describe("/login", () => {
  const maren = () => ({ email: world.maren.email, password });

  test("redirects home", async () => {
    const answer = await post("/login", maren());
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/"]);
    expect(toastOf(answer)).toBe('[{"tone":"success","text":"Login successful!"}]');
    expect((await viewerOf(answer))?.id).toBe(world.maren.id);
  });

  test("redirects to the requested page, on this site only", async () => {
    const locationFor = async (then: string) => (await post(`/login?then=${encodeURIComponent(then)}`, maren())).headers.get("location");
    expect(await locationFor("/add-post?a=1")).toBe("/add-post?a=1");
    for (const evil of ["//evil.example", "https://evil.example", "/\\evil.example", "/.//evil.example"])
      expect(await locationFor(evil)).toBe("/");
  });

  test("shows wrong credentials above the form", async () => {
    const answer = await post("/login", { ...maren(), password: "not that one" });
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(html).toContain("Invalid credentials. Please check the email and password.");
    expect(html).toContain(`value="${world.maren.email}"`);
    expect(html).not.toContain("not that one");
  });

  test("shows errors in the specification's words", async () => {
    const html = await (await post("/login", { email: "maren@", password: "" })).text();
    expect(html).toContain("Email address must be a valid address");
    expect(html).toContain("Password is required");
    expect(await (await post("/login", {})).text()).toContain("Email is required");
  });

  test("redirects signed-in members home, or to the page that sent them", async () => {
    const { cookie } = await signIn(world, world.maren);
    for (const path of ["/login", "/signup"]) expect((await get(path, cookie)).headers.get("location")).toBe("/");
    const chat = `/messages/${world.tobias.id}`;
    expect((await get(`/login?then=${encodeURIComponent(chat)}`, cookie)).headers.get("location")).toBe(chat);
    expect((await get("/login?then=//evil.example", cookie)).headers.get("location")).toBe("/");
  });

  test("rejects forms from other sites", async () => {
    const answer = await post("/login", maren(), { origin: "https://evil.example" });
    expect(answer.status).toBe(403);
    expect(cookieOf(answer)).not.toContain("inkstead_session");
  });

  test("rejects invalid bodies without a server error", async () => {
    for (const type of ["application/json", "multipart/form-data", "text/plain"]) {
      const request = { method: "POST", body: "{", headers: { "content-type": type, origin: "http://inkstead.test" } };
      expect((await web.request("/login", request)).status, type).toBeLessThan(500);
    }
  });
});

describe("/logout", () => {
  test("ends the session on POST", async () => {
    const { cookie } = await signIn(world, world.maren);
    const answer = await post("/logout", {}, { cookie });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/"]);
    expect((await findAndRenewSession(world.site, cookie)).viewer).toBeNull();
    expect(cookieOf(answer)).toContain("inkstead_session=");
  });

  test("does nothing on GET", async () => {
    const { cookie } = await signIn(world, world.maren);
    expect((await get("/logout", cookie)).headers.get("location")).toBe("/");
    expect((await findAndRenewSession(world.site, cookie)).viewer).not.toBeNull();
  });
});

describe("password recovery", () => {
  test("works from the request to signing in with the new password", async () => {
    const response = await post("/forgot-password", { email: world.maren.email });
    expect(response.headers.get("location")).toBe("/forgot-password?sent");
    await until(() => expect(world.emails).toHaveLength(1));
    const link = linkIn(world.emails[0]);
    expect(await (await get(link)).text()).toContain("New password");
    expect(await (await post(link, { password: "short" })).text()).toContain("Password must be at least 8 characters");
    const changed = await post(link, { password: "a door in the hill" });
    expect(changed.headers.get("location")).toBe("/login");
    expect((await post("/login", { email: world.maren.email, password: "a door in the hill" })).status).toBe(302);
    expect(await (await get(link)).text()).toContain("This link has expired or was already used. Request a new one.");
    expect((await post(link, { password: "a door in the hill" })).status).toBe(422);
  });

  test("answers the same for unknown addresses", async () => {
    const answer = await post("/forgot-password", { email: "nobody@example.com" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/forgot-password?sent"]);
  });
});

describe("the confirmation link", () => {
  const confirmed = async () =>
    (await world.site.db.selectFrom("users").select("emailVerified").where("id", "=", world.salma.id).executeTakeFirst())?.emailVerified;
  let link: string;
  beforeEach(async () => {
    await sendConfirmationAgain(world.site, world.salma);
    link = linkIn(world.emails[0]);
  });

  test("confirms at once in the browser that is signed in", async () => {
    const { cookie } = await signIn(world, world.salma);
    const answer = await get(link, cookie);
    expect(answer.headers.get("location")).toBe("/");
    expect(toastOf(answer)).toContain("Your email address is confirmed.");
    expect(await confirmed()).toBe(true);
  });

  test("asks first in other browsers, so that mail scanners confirm nothing", async () => {
    const { cookie } = await signIn(world, world.maren);
    for (const viewerCookie of ["", cookie]) {
      const html = await (await get(link, viewerCookie)).text();
      expect(html).toContain("Salma Rahimi");
      expect(html).toContain("Confirm email");
      expect(await confirmed()).toBe(false);
    }
    expect((await post(link, {})).headers.get("location")).toBe("/login");
    expect(await confirmed()).toBe(true);
    expect((await get(link)).headers.get("location")).toBe("/login");
  });

  test("reports an invalid link", async () => {
    expect(await (await get("/verify-email?token=nonsense")).text()).toContain("This link has expired or was already used.");
    expect(toastOf(await post("/verify-email?token=nonsense", {}))).toContain("This link has expired or was already used.");
    expect((await get("/verify-email")).status).toBe(200);
  });

  test("can be sent again, returning to the page with the button", async () => {
    const { cookie } = await signIn(world, world.salma);
    const again = () => post("/verify-email/again", {}, { cookie, referer: "http://inkstead.test/all-posts?q=lamp" });
    const answer = await again();
    expect(answer.headers.get("location")).toBe("/all-posts?q=lamp");
    expect(toastOf(answer)).toContain("A new link is on its way.");
    expect(world.emails).toHaveLength(2);
    for (let i = 0; i < 4; i++) await again();
    expect(toastOf(await again())).toContain("Too many attempts.");
  });
});
