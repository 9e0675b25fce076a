import { afterEach, beforeEach, expect, test } from "vitest";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { openWeb } from "../../../tests/support/web.ts";
import { addMember, openWorld, signIn, type World } from "../../../tests/support/world.ts";

let world: World;
let get: (query: string) => Promise<string>;
beforeEach(async () => {
  world = await openWorld();
  const { cookie } = await signIn(world, world.ruth, { reauthenticated: true });
  const web = openWeb(world);
  get = async (query) => (await web.request(`/admin/messages${query}`, { headers: { cookie } })).text();
  await sendMessage(world.site, world.maren, { to: world.tobias.id, text: "The lamp is out", sendId: "1" });
  await sendMessage(world.site, world.ruth, { to: world.tobias.id, text: "Welcome to the site", sendId: "2" });
});
afterEach(() => world.close());

test("messages list names, and each name filters by that member", async () => {
  const page = await get("");
  expect(page).toContain("2 messages in total");
  for (const { id, name } of [world.maren, world.tobias])
    expect(page).toMatch(new RegExp(`href="/admin/messages\\?user=${id}"[^>]*>${name}<`));
});

test.each(["maren", "MAREN ODUYA", "id"])("the filter takes a name or an id: %s", async (typed) => {
  const page = await get(`?user=${encodeURIComponent(typed === "id" ? world.maren.id : typed)}`);
  expect(page).toContain("1 message matches");
  expect(page).toContain("The lamp is out");
  expect(page).not.toContain("Welcome to the site");
});

test("an ambiguous name asks which member, and shows no messages yet", async () => {
  const other = await addMember(world, "Maren Holt");
  const page = await get("?user=maren");
  expect(page).toContain("Whose messages?");
  for (const { id } of [world.maren, other]) expect(page).toContain(`user=${id}`);
  expect(page).not.toContain("The lamp is out");
});

test("Filters opens and closes the panel and keeps what was chosen", async () => {
  const chosen = `?q=lamp&user=${world.maren.id}&sort=oldest&page=2`;
  const filters = (page: string) => page.match(/href="([^"]*)"[^>]*>(?:(?!<\/a>).)*Filters</)?.[1]?.replaceAll("&amp;", "&");
  const panel = "Search message content...";
  const open = await get(chosen);
  expect(open).toContain(panel);
  expect(filters(open)).toBe(`/admin/messages${chosen}&filters=0`);
  const closed = await get(`${chosen}&filters=0`);
  expect(closed).not.toContain(panel);
  expect(closed).toContain("1 message matches");
  expect(filters(closed)).toBe(`/admin/messages${chosen}&filters=1`);
  expect(await get("")).not.toContain(panel);
  expect(await get("?filters=1")).toContain(panel);
});
