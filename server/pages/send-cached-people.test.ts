import { afterEach, beforeEach, expect, test } from "vitest";
import { type Answer, ask, type Served, serve } from "../../tests/support/browsers/cached-pages.ts";
import { addMember, openWorld, signIn, type World } from "../../tests/support/world.ts";

let world: World;
let served: Served;
beforeEach(async () => {
  world = await openWorld();
  served = await serve(world.site, 1_000);
});
afterEach(async () => {
  served.close();
  await world.close();
});

test("a thousand members and visitors in between each get their own page", async () => {
  const people: { email: string; cookie: string }[] = [];
  for (let number = 0; number < 1_000; number++) {
    // Ids are a millisecond and seven random characters: a thousand in one millisecond could collide.
    world.clock.advance(1);
    const member = await addMember(world, `Reader ${number}`, { email: `reader-${number}-@example.com` });
    people.push({ email: member.email, cookie: (await signIn(world, member)).cookie });
  }
  const addresses = ({ text }: Answer) => new Set(text.match(/reader-\d+-@example\.com/g) ?? []);
  const compareBoth = async (start: number) => {
    for (let number = start; number < people.length; number += 20) {
      const { email = "", cookie = "" } = people[number] ?? {};
      const [own, visitors] = await Promise.all([ask(served, "/subscribe", { cookie }), ask(served, "/subscribe")]);
      expect([...addresses(own)]).toEqual([email]);
      expect([...addresses(visitors)]).toEqual([]);
      if (number % 7 === 0) world.clock.advance(400);
    }
  };
  await Promise.all(Array.from({ length: 20 }, (_, start) => compareBoth(start)));
  expect(served.cacheHits()).toBeGreaterThan(100);
}, 240_000);
