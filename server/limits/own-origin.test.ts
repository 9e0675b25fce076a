import type { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sessionCookieName } from "#domain/accounts/sign-in/auth.server.ts";
import type { Web } from "#server/http.ts";
import { actionPaths, fewAtATime } from "../../tests/fuzz/actions.ts";
import { openWeb } from "../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";
import { isFromOwnPage, isOwnOrigin } from "./own-origin.ts";
import { limitRefusals } from "./refuse.ts";

const site = "http://inkstead.test";
const paths = await actionPaths();

describe("the origin of a page", () => {
  test.each<[origin: string, siteUrl: string, own: boolean]>([
    ["https://ink.example", "https://ink.example", true],
    ["http://ink.example", "https://ink.example", false],
    ["https://ink.example:8443", "https://ink.example", false],
    ["https://blog.ink.example", "https://ink.example", false],
    ["https://ink.example.evil.example", "https://ink.example", false],
    ["null", "https://ink.example", false],
    ["", "https://ink.example", false],
    ["http://localhost:3000", "https://ink.example", false],
    ["http://127.0.0.1:3000", "http://localhost:3000", true],
    ["http://[::1]:3000", "http://localhost:3000", true],
    ["http://localhost:3001", "http://localhost:3000", false],
    ["https://localhost:3000", "http://localhost:3000", false],
  ])("%s of %s: %s", (origin, siteUrl, own) => {
    expect(isOwnOrigin(origin, siteUrl)).toBe(own);
  });

  const cookie = `theme=dark; ${sessionCookieName(site)}=abc`;
  test.each<[headers: Record<string, string>, own: boolean]>([
    [{ origin: site, "sec-fetch-site": "cross-site", cookie }, true],
    [{ origin: "http://evil.example", "sec-fetch-site": "same-origin" }, false],
    [{ "sec-fetch-site": "same-origin", cookie }, true],
    [{ "sec-fetch-site": "same-site" }, false],
    [{ "sec-fetch-site": "none" }, false],
    [{ cookie }, false],
    [{ cookie: "theme=dark" }, true],
    [{}, true],
  ])("%o is own: %s", (headers, own) => {
    expect(isFromOwnPage((name) => headers[name], site, sessionCookieName(site))).toBe(own);
  });
});

describe("every route that accepts a form", () => {
  let world: World;
  let web: Hono<Web>;
  let cookie: string;
  beforeAll(async () => {
    world = await openWorld();
    web = openWeb(world);
    cookie = (await signIn(world, world.ruth)).cookie;
  });
  afterAll(() => world.close());

  const answersTo = (method: string, headers: Record<string, string>) =>
    fewAtATime(
      paths.flatMap((path) => [path, path.replace(/(\?index)?$/, (index) => `.data${index}`)]),
      async (path) => {
        const answer = await web.request(path, { method, headers: { cookie, ...headers } });
        return { path, status: answer.status, isForeign: (await answer.text()).includes(limitRefusals.foreign.message) };
      },
    );

  const foreign = {
    "of another site": { origin: "https://evil.example" },
    "of another port": { origin: "http://inkstead.test:8080" },
    "of a subdomain": { origin: "http://a.inkstead.test" },
    "with another scheme": { origin: "https://inkstead.test" },
    "that names itself in Host": { origin: "http://evil.example", host: "evil.example" },
    "without an origin": { origin: "null" },
    "of an old browser": {},
    "of the same site": { "sec-fetch-site": "same-site" },
  };

  test.each(Object.entries(foreign))("refuses the form of a page %s", async (_, headers) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const answers = await answersTo(method, headers as Record<string, string>);
      expect(answers.filter(({ status, isForeign }) => status !== 403 || !isForeign)).toEqual([]);
    }
  });

  test("accepts forms of its own pages", async () => {
    const answers = await answersTo("POST", { origin: site, "content-type": "application/x-www-form-urlencoded" });
    expect(answers.filter(({ status, isForeign }) => isForeign || status >= 500)).toEqual([]);
  });
});
