import { globSync, readFileSync } from "node:fs";
import { type LoaderFunctionArgs, RouterContextProvider, type ServerBuild } from "react-router";
import { describe, expect, test } from "vitest";
import { siteContext } from "#app/context.ts";
import { Conflict, NotAllowed, NotFound, SignInRequired, TooMany } from "#domain/refusals.ts";
import type { Site } from "#domain/site.ts";
import { loginPath, refusalOf, textNames, translateRefusals } from "./refusals.ts";

/** Returns what a translated route throws. */
async function thrownBy(error: unknown, request = new Request("http://inkstead.test/messages?with=maren")) {
  const loader = () => {
    throw error;
  };
  const build = { routes: { page: { id: "page", module: { loader } } } } as unknown as ServerBuild;
  const translated = translateRefusals(build).routes.page?.module.loader as (args: LoaderFunctionArgs) => Promise<unknown>;
  const context = new RouterContextProvider();
  context.set(siteContext, { url: "http://inkstead.test" } as Site);
  const args = { request, url: new URL(request.url), context, params: {} } as unknown as LoaderFunctionArgs;
  return translated(args).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

describe("a refusal that no route handles", () => {
  test.each([
    [new NotFound("There’s no such story"), 404],
    [new NotAllowed("Not yours"), 403],
    [new Conflict("Changed meanwhile"), 409],
    [new TooMany("Too many attempts"), 429],
  ])("answers %s with %i and its message", async (refusal, status) => {
    expect(await thrownBy(refusal)).toMatchObject({
      data: { code: refusal.code, message: refusal.message },
      init: { status },
    });
  });

  test("redirects a visitor to the login screen and back to the page", async () => {
    const response = (await thrownBy(new SignInRequired())) as Response;
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe("/login?then=%2Fmessages%3Fwith%3Dmaren");
  });

  test("returns to the page with the form, not to its action", async () => {
    const headers = { referer: "http://inkstead.test/post/two-kettles" };
    const response = (await thrownBy(
      new SignInRequired(),
      new Request("http://inkstead.test/like", { method: "POST", headers }),
    )) as Response;
    expect(response.headers.get("location")).toBe("/login?then=%2Fpost%2Ftwo-kettles");
  });
});

test("a single word in any text area counts as written", () => {
  const files = globSync("app/**/*.tsx").filter((file) => !file.endsWith("setup-page.tsx"));
  const areas = files.flatMap(
    (file) => readFileSync(file, "utf8").match(/<TextArea\b[^>]*|<textarea\b(?![^>]*(?:hidden|readOnly))[^>]*/gi) ?? [],
  );
  const names = areas.flatMap((area) => /\sname="(\w+)"/.exec(area)?.[1] ?? []);
  expect([...new Set(names)].toSorted()).toEqual(textNames.toSorted());
});

test("rethrows faults", async () => {
  const fault = new TypeError("undefined is not a function");
  expect(await thrownBy(fault)).toBe(fault);
  expect(() => refusalOf(fault)).toThrow(fault);
});

test("the login path from home has no return path", () => {
  expect(loginPath("/")).toBe("/login");
  expect(loginPath("//evil.example")).toBe("/login?then=%2F");
});
