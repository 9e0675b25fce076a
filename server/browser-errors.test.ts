import type { Hono } from "hono";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listErrors } from "#domain/errors/errors.server.ts";
import type { Web } from "#server/http.ts";
import { openWeb } from "../tests/support/web.ts";
import { openWorld, signIn, type World } from "../tests/support/world.ts";

let world: World;
let web: Hono<Web>;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
});
afterEach(() => world.close());

const report = { message: "TypeError: x is undefined", stack: "at f (http://inkstead.test/assets/a.js:1:2)", path: "/post/night-bus" };
const send = (body: string, headers: Record<string, string> = {}) =>
  web.request("/client-errors", {
    method: "POST",
    body,
    headers: { origin: "http://inkstead.test", "content-type": "application/json", ...headers },
  });
const list = async () => (await listErrors(world.site, world.ruth, { list: "open", limit: 10 })).errors;

test("a browser's error is on the Errors page, with its route and without the member", async () => {
  // Routes are known after the first page.
  await web.request("/help");
  const { cookie } = await signIn(world, world.maren);
  const answer = await send(JSON.stringify(report), { cookie });
  expect(answer.status).toBe(204);
  expect(await list()).toMatchObject([
    { source: "browser", message: report.message, route: "/post/:slug", requestId: answer.headers.get("x-request-id") },
  ]);
  const { cookie: staff } = await signIn(world, world.ruth);
  const page = await (await web.request("/admin/errors", { headers: { cookie: staff } })).text();
  expect(page).toContain(report.message);
  expect(JSON.stringify(await list())).not.toContain(world.maren.id);
});

test.each([
  ["no JSON", "x", {}, 422],
  ["another shape", "[]", {}, 422],
  ["a stack that is too long", JSON.stringify({ ...report, stack: "x".repeat(9_000) }), {}, 422],
  ["from another site", JSON.stringify(report), { origin: "https://elsewhere.example" }, 403],
])("%s is refused", async (_what, body, headers, status) => {
  expect((await send(body, headers)).status).toBe(status);
  expect(await list()).toEqual([]);
});

test("a body that is too large is refused unread", async () => {
  const answer = await send(JSON.stringify(report), { "content-length": "9000" });
  expect(answer.status).toBe(413);
});
