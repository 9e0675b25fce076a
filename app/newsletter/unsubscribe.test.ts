import { afterEach, beforeEach, expect, test } from "vitest";
import { importSubscribers } from "#domain/newsletter/subscriber-files.server.ts";
import { formPost, openWeb } from "../../tests/support/web.ts";
import { openWorld, type World } from "../../tests/support/world.ts";

let world: World;
let path: string;
beforeEach(async () => {
  world = await openWorld();
  await importSubscribers(world.site, world.ruth, "hana@example.com,2026-01-02");
  const { token } = await world.site.db.selectFrom("subscribers").select("token").executeTakeFirstOrThrow();
  path = `/unsubscribe?token=${token}&issue=2966`;
});
afterEach(() => world.close());

const subscribers = () => world.site.db.selectFrom("subscribers").select("email").execute();

test("opening the link changes nothing; the button unsubscribes, and the link then says so", async () => {
  const web = openWeb(world);
  expect(await (await web.request(path)).text()).toContain("Stop the weekly newsletter to hana@example.com?");
  expect(await subscribers()).toHaveLength(1);
  expect(await (await web.request(path, formPost({}))).text()).toContain("This address is unsubscribed.");
  expect(await subscribers()).toEqual([]);
  expect(await (await web.request(path)).text()).toContain("This address is unsubscribed.");
});

test("one-click unsubscribe works without an origin and cookies", async () => {
  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  const answer = await openWeb(world).request(path, { method: "POST", body });
  expect(answer.status).toBe(200);
  expect(await subscribers()).toEqual([]);
});

test("an incomplete link says that it doesn't work", async () => {
  const web = openWeb(world);
  const cutOff = path.replace(/token=([\w-]{20}).*/, "token=$1");
  for (const answer of [await web.request(cutOff), await web.request(cutOff, formPost({}))]) {
    const page = await answer.text();
    expect(page).toContain("This link doesn’t work");
    expect(page).not.toContain("This address is unsubscribed.");
  }
  expect(await subscribers()).toHaveLength(1);
});
