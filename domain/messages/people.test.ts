import { afterEach, beforeEach, expect, test } from "vitest";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { suspendMember } from "../moderation/suspensions.server.ts";
import { setBlocked } from "./blocking.server.ts";
import { sendMessage } from "./messages.server.ts";
import { findPeople } from "./people.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const names = async (typed: string, viewer = world.maren) => {
  const { partners, others } = await findPeople(world.site, viewer, typed);
  return [partners.map(({ name }) => name), others.map(({ name }) => name)];
};

test("people are found by a part of their name, ignoring accents, partners first", async () => {
  const { site, maren } = world;
  const [hana] = [await addMember(world, "Hana Novák"), await addMember(world, "Ivan Novak"), await addMember(world, "Zoë Stern")];
  await sendMessage(site, maren, { to: hana.id, text: "Hello", sendId: "1" });
  expect(await names("novak")).toEqual([["Hana Novák"], ["Ivan Novak"]]);
  expect(await names("NOVÁK")).toEqual([["Hana Novák"], ["Ivan Novak"]]);
  expect(await names("ha")).toEqual([["Hana Novák"], []]);
  expect(await names("  ")).toEqual([[], []]);
  expect(await names("%")).toEqual([[], []]);
});

test.each(["Søren Ærø", "Łukasz Wałęsa", "Anna Strauß", "Đorđe Čiča", "Þóra Sigurðar"])(
  "%s is found by this name and by parts of it",
  async (name) => {
    await addMember(world, name);
    const surname = name.split(" ")[1] ?? "";
    for (const typed of [name, name.toLowerCase(), name.normalize("NFD"), surname, name.slice(0, 1), name.slice(0, 2)])
      expect((await names(typed))[1], typed).toContain(name);
  },
);

test("a name in another script is found as it is written", async () => {
  await addMember(world, "Семён Йовков");
  for (const typed of ["Семён Йовков", "Йовков", "Семён", "Се"]) expect(await names(typed), typed).toEqual([[], ["Семён Йовков"]]);
});

test("a name is found by its beginning with and without capital letters", async () => {
  await addMember(world, "Éva Őry");
  for (const typed of ["É", "é", "Év", "év", "ÉV"]) expect(await names(typed), typed).toEqual([[], ["Éva Őry"]]);
});

test("oneself, email addresses and suspended members are not found", async () => {
  const { site, maren, tobias, ruth } = world;
  expect(await names(maren.name)).toEqual([[], []]);
  expect(await names(tobias.email)).toEqual([[], []]);
  expect(await names(tobias.email.split("@")[1] ?? "")).toEqual([[], []]);
  expect(await names(tobias.name)).toEqual([[], [tobias.name]]);
  await suspendMember(site, { ...ruth, isReauthenticated: true }, tobias.id, { reason: "spam", days: 7 });
  expect(await names(tobias.name)).toEqual([[], []]);
});

test("members who blocked the viewer are found", async () => {
  const { site, maren, tobias } = world;
  await setBlocked(site, tobias, maren.id, true);
  expect(await names(tobias.name)).toEqual([[], [tobias.name]]);
});

test("members who may not send messages find only partners, and visitors nobody", async () => {
  const { site, maren, tobias, salma } = world;
  await sendMessage(site, maren, { to: salma.id, text: "Hello", sendId: "1" });
  expect(await names(maren.name, salma)).toEqual([[maren.name], []]);
  expect(await names(tobias.name, salma)).toEqual([[], []]);
  await expect(findPeople(site, null, "maren")).rejects.toMatchObject({ code: "sign-in-required" });
});
