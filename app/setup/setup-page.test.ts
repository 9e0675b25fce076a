import type { Hono } from "hono";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeSetupLink } from "#domain/setup/setup.server.ts";
import type { Web } from "#server/http.ts";
import { textOf } from "../../tests/support/pages.ts";
import { formPost, openWeb } from "../../tests/support/web.ts";
import { openWorld, type World } from "../../tests/support/world.ts";

let world: World;
let web: Hono<Web>;
let path: string;
beforeEach(async () => {
  world = await openWorld();
  await world.site.db.deleteFrom("administrators").execute();
  web = openWeb(world, { cachePages: true });
  const { pathname, search } = new URL((await makeSetupLink(world.site)) ?? "");
  path = pathname + search;
});
afterEach(() => world.close());

const typed = {
  name: "Ana Pereira",
  email: "ana@example.com",
  password: "a lamp on the Hill 9",
  siteName: "Night Bus",
  siteDescription: "Stories after midnight",
  landingFigures: "live",
  landingIntro: "{name} is for what happens after midnight.",
  landingCommunity: "For everybody who is awake.",
};
const post = (fields: Record<string, string>, address = path) => web.request(address, formPost(fields));
const field = (page: string, name: string) => new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(page)?.[0] ?? "";

test("has defaults for everything but the account, and can be skipped", async () => {
  const page = await (await web.request(path)).text();
  expect(field(page, "siteName")).toContain('value="Inkstead"');
  expect(field(page, "allowRegistration")).toContain('checked=""');
  expect(page).toMatch(/<a [^>]*href="\/"[^>]*>(<span>)?Skip for now/);
  expect(textOf(page)).toContain("other people sit with it");
});

test("is not found without the link, with another one or after it was used", async () => {
  for (const address of ["/setup", "/setup?token=none"]) {
    expect((await web.request(address)).status).toBe(404);
    expect((await post(typed, address)).status).toBe(404);
  }
  expect((await web.request(path)).status).toBe(200);
  expect((await post(typed)).status).toBe(302);
  for (const answer of [await web.request(path), await post({ ...typed, email: "ben@example.com" })]) expect(answer.status).toBe(404);
});

test("sets up the site, signs in the administrator and shows their landing text", async () => {
  const answer = await post(typed);
  expect(answer.headers.get("location")).toBe("/admin");
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  expect((await web.request("/admin", { headers: { cookie } })).status).toBe(200);
  const landing = textOf(await (await web.request("/")).text());
  for (const text of ["Night Bus is for what happens after midnight.", "For everybody who is awake."]) expect(landing).toContain(text);
  expect(landing).not.toContain("15,420");
  // The switch was off.
  expect(textOf(await (await web.request("/signup")).text())).toContain("Registration is closed");
});

test("blank fields stay blank, except for the site's name", async () => {
  const empty = { siteDescription: "", landingIntro: "", landingCommunity: "" };
  const unnamed = await post({ ...typed, ...empty, siteName: "" });
  expect([unnamed.status, textOf(await unnamed.text())]).toEqual([422, expect.stringContaining("Site name is required")]);
  expect((await post({ ...typed, ...empty })).status).toBe(302);
  expect(world.site.settings).toMatchObject({ ...empty, siteName: "Night Bus" });
});

test("shows errors at their fields and keeps everything but the password", async () => {
  const answer = await post({ ...typed, password: "password123", landingIntro: "x".repeat(301) });
  expect(answer.status).toBe(422);
  const page = await answer.text();
  expect(page).toContain("Introduction cannot exceed 300 characters");
  expect(field(page, "siteName")).toContain('value="Night Bus"');
  const again = await (await post({ ...typed, password: "password123" })).text();
  expect(again).toContain("This password is too common. Please choose another.");
  expect(again).not.toContain("password123");
  expect(field(again, "email")).toContain('value="ana@example.com"');
});

test("the test email's result is shown and the values stay", async () => {
  const page = await (await post({ ...typed, do: "test" })).text();
  expect(textOf(page)).toContain("Sent. If it isn’t in your inbox in a minute, check your spam folder.");
  expect(field(page, "siteName")).toContain('value="Night Bus"');
  expect(field(page, "allowRegistration")).not.toContain('checked=""');
  expect(page).not.toContain(typed.password);
  expect(world.emails.map(({ to }) => to)).toEqual(["ana@example.com"]);
  expect(textOf(await (await post({ ...typed, email: "nobody", do: "test" })).text())).toContain("Please enter a valid email address");
});
