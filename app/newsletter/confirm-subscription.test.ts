import { afterEach, beforeEach, expect, test } from "vitest";
import { subscribe, unsubscribe } from "#domain/newsletter/subscribers.server.ts";
import { formPost, openWeb } from "../../tests/support/web.ts";
import { openWorld, type World } from "../../tests/support/world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const confirmed = async () =>
  (await world.site.db.selectFrom("subscribers").select("confirmedAt").execute()).map((row) => row.confirmedAt !== null);

test("opening the link changes nothing, the button subscribes, and unsubscribing stays possible", async () => {
  const web = openWeb(world);
  await subscribe(world.site, { ip: "192.0.2.7", userAgent: null }, "hana@example.com");
  const link = new URL(/https?:\S+/.exec(world.emails[0]?.text ?? "")?.[0] ?? "");
  const path = `${link.pathname}${link.search}`;
  const [token = "", code = ""] = ["token", "code"].map((name) => link.searchParams.get(name) ?? "");

  const page = await (await web.request(path)).text();
  expect(page).toContain("Confirm your subscription");
  expect(page).toContain("hana@example.com");
  await web.request(path, { method: "HEAD" });
  expect(await confirmed()).toEqual([false]);

  const answer = await web.request(path, formPost({ token, code, intent: "subscribe" }));
  expect(answer.headers.get("location")).toBe(`${link.pathname}?token=${token}`);
  expect(await confirmed()).toEqual([true]);
  expect(await (await web.request(path)).text()).toContain("Unsubscribe");

  await web.request(path, formPost({ token }));
  expect(await confirmed()).toEqual([]);
  expect(await (await web.request(path)).text()).toContain("This link has expired or was already used.");
});

test("a forwarded newsletter of a former subscriber doesn't confirm", async () => {
  const web = openWeb(world);
  const sender = { ip: "192.0.2.7", userAgent: null };
  await subscribe(world.site, sender, "hana@example.com");
  const former = new URL(/https?:\S+/.exec(world.emails[0]?.text ?? "")?.[0] ?? "");
  const [token = "", code = ""] = ["token", "code"].map((name) => former.searchParams.get(name) ?? "");
  await unsubscribe(world.site, token);
  world.clock.advance(1);
  await subscribe(world.site, sender, "hana@example.com");

  for (const given of [{ token }, { token, code }, { token, code: "" }]) {
    const link = `${former.pathname}?${new URLSearchParams(given)}`;
    expect(await (await web.request(link)).text()).toContain("This link has expired or was already used.");
    await web.request(link, formPost({ ...given, intent: "subscribe" }));
    expect(await confirmed()).toEqual([false]);
  }
});
