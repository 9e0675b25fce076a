import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { openPage, partOf, textOf, titlesIn } from "../../tests/support/pages.ts";
import { addPost } from "../../tests/support/posts.ts";
import { openWorld, type World } from "../../tests/support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const home = async (site = world.site) => partOf((await openPage(world, "/", { as: world.tobias, site })).html, "main");

describe("the signed-in home (specification §2, Signed-in home)", () => {
  test("the Messages button has an unread badge, 99+ above 99 (specification §9)", async () => {
    const button = async () => /Messages( \S+ unread messages?)?(?= New Story)/.exec(textOf(await home()))?.[0];
    const send = async (text: string) => sendMessage(world.site, world.maren, { to: world.tobias.id, text, sendId: text });
    expect(await button()).toBe("Messages");
    await send("Letter 1");
    expect(await button()).toBe("Messages 1 unread message");
    for (let number = 2; number <= 99; number++) await send(`Letter ${number}`);
    expect(await button()).toBe("Messages 99 unread messages");
    await send("Letter 100");
    expect(await button()).toBe("Messages 99+ unread messages");
  });

  test("hides the counts of features that are off", async () => {
    const off = { ...world.site, settings: { ...world.site.settings, enableLikes: false, enableMessages: false } };
    const text = textOf(await home(off));
    expect(text).toContain("Your Stories");
    expect(text).not.toMatch(/Total Likes|New Messages/);
  });

  test("at most three pinned posts, the newest first", async () => {
    for (let number = 1; number <= 5; number++) {
      world.clock.advance(60_000);
      await addPost(world, world.maren, { id: `pinned-${number}`, title: `Pinned ${number}`, pinned: true });
    }
    const html = await home();
    const section = /<section[^>]*><h2[^>]*>Pinned Posts<\/h2>[\s\S]*?<\/section>/.exec(html)?.[0] ?? "";
    expect(titlesIn(section)).toEqual(["Pinned 5", "Pinned 4", "Pinned 3"]);
  });
});
