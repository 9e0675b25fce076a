import { afterEach, beforeEach, expect, test } from "vitest";
import { addPost } from "../../tests/support/posts.ts";
import { openWeb } from "../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";

let world: World;
let web: ReturnType<typeof openWeb>;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
});
afterEach(() => world.close());

test("an offline story is the same for all viewers, without scripts or external resources", async () => {
  await addPost(world, world.maren, {
    id: "salt",
    title: "Salt & <Smoke>",
    content: '<p>A pinch.</p><img src="/files/a/1200.jpeg" alt="A pan">',
  });
  const answer = await web.request("/offline/salt");
  const html = await answer.text();
  for (const part of ["<title>Salt &amp; &lt;Smoke&gt;</title>", 'content="Maren Oduya"', "<p>A pinch.</p>", 'alt="A pan"'])
    expect(html).toContain(part);
  expect(html).not.toContain("<script");
  expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(answer.headers.get("x-robots-tag")).toBe("noindex");
  const { cookie } = await signIn(world, world.maren);
  expect(await (await web.request("/offline/salt", { headers: { cookie } })).text()).toBe(html);
});

test("drafts are not available offline, not even for their author", async () => {
  await addPost(world, world.maren, { id: "salt", status: "inactive" });
  const { cookie } = await signIn(world, world.maren);
  expect((await web.request("/offline/salt", { headers: { cookie } })).status).toBe(404);
});

test("nothing is available during maintenance", async () => {
  await addPost(world, world.maren, { id: "salt" });
  world.site.settings.maintenanceMode = true;
  expect((await web.request("/offline/salt")).status).toBe(503);
});

test("the worker is not cached, and may only connect to this site", async () => {
  const { status, headers } = await web.request("/service-worker.js");
  expect([status, headers.get("content-type"), headers.get("cache-control"), headers.get("content-security-policy")]).toEqual([
    200,
    "text/javascript; charset=utf-8",
    "no-cache",
    "default-src 'none'; connect-src 'self'",
  ]);
});
