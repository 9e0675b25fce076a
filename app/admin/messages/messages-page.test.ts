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
