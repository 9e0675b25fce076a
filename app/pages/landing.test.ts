import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { linksIn, openPage, partOf, textOf, titlesIn } from "../../tests/support/pages.ts";
import { addPost } from "../../tests/support/posts.ts";
import { openWorld, type World } from "../../tests/support/world.ts";

let world: World;
const minute = 60_000;

async function write(count: number, chosen: { featured?: boolean; pinned?: boolean } = {}, title = "Story") {
  for (let index = 1; index <= count; index++) {
    world.clock.advance(minute);
    await addPost(world, world.maren, { ...chosen, id: `${title.toLowerCase()}-${index}`, title: `${title} ${index}` });
  }
}

const open = (path = "/") => openPage(world, path);
const posts = async (path: string) => partOf((await open(path)).html, "section", 'id="stories"');
const chosenTab = (html: string) => textOf(/<a [^>]*aria-current="page"[\s\S]*?<\/a>/.exec(html)?.[0] ?? "");

describe("the landing page, whatever has been written (specification §2, Landing page)", () => {
  beforeAll(async () => {
    world = await openWorld();
    await write(6);
    await write(1, { featured: true }, "Featured");
  });
  afterAll(() => world.close());

  test("the hero says that it is free, with instant publishing and no approval (specification §1)", async () => {
    const hero = partOf((await open()).html, "section");
    expect(textOf(partOf(hero, "h1"))).toBe("Stories deserve a good home.");
    expect(textOf(partOf(hero, "p"))).toBe(
      "Inkstead is where people write down what happened and other people sit with it. Free, published the moment you say so, no approval.",
    );
    expect(linksIn(hero)).toEqual([
      ["Sign Up", "/signup"],
      ["Read the stories", "/#stories"],
    ]);
  });

  test("has three feature cards", async () => {
    const cards = partOf((await open()).html, "section", 'aria-label="What you can do here"');
    const parts = (tag: string) => [...cards.matchAll(new RegExp(`<${tag}\\b[^>]*>([^<]+)</${tag}>`, "g"))].map(([, text]) => text);
    expect(parts("h2")).toEqual(["Write in plain sight", "Read at your pace", "Write back"]);
    expect(parts("p").map((text) => (text ?? "").length > 40)).toEqual([true, true, true]);
  });

  test("calls its stories a Preview Mode", async () => {
    const preview = await posts("/");
    expect(textOf(preview)).toMatch(/^From the front porch Preview Mode Featured Stories/);
  });

  test("calls to sign up lead to /signup, those to sign in to /login", async () => {
    const links = linksIn((await open()).html);
    const leadTo = (label: RegExp) => links.filter(([each]) => label.test(each));
    expect(leadTo(/sign ?up|join/i)).toEqual([
      ["Signup", "/signup"],
      ["Sign Up", "/signup"],
      ["Join Free - Read All 7 Stories", "/signup"],
      ["Sign Up", "/signup"],
    ]);
    expect(leadTo(/log ?in|sign ?in/i)).toEqual([
      ["Login", "/login"],
      ["Sign in", "/login"],
    ]);
  });

  test("a search opens Latest, which honors it, where otherwise Featured opens", async () => {
    expect(chosenTab(await posts("/"))).toBe("Featured Stories , 1");
    const found = await posts("/?q=story%203");
    expect(chosenTab(found)).toBe("Latest Stories");
    expect(titlesIn(found)[0]).toBe("Story 3");
    expect(textOf(found)).toContain("Featured Stories , 0");
    expect(textOf(await posts("/?tab=featured&q=story%203"))).toContain("No matching stories found");
    expect(titlesIn(await posts("/?tab=featured&q=featured"))).toEqual(["Featured 1"]);
  });

  test("No matching stories found has Clear Search, which leads to all of the latest", async () => {
    const nothing = await posts("/?q=nowhere");
    expect(textOf(nothing)).toContain("No matching stories found Clear Search");
    expect(linksIn(nothing)).toContainEqual(["Clear Search", "/?tab=latest"]);
    expect(titlesIn(await posts("/?tab=latest"))).toHaveLength(6);
  });
});

describe("how much the landing page shows (specification §9)", () => {
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.close());

  test("at most six featured stories, the newest first: one large, five small", async () => {
    await write(8, { featured: true }, "Featured");
    const preview = await posts("/");
    expect(chosenTab(preview)).toBe("Featured Stories , 6");
    expect(titlesIn(preview)).toEqual(["Featured 8", "Featured 7", "Featured 6", "Featured 5", "Featured 4", "Featured 3"]);
    // Only the large card shows an excerpt.
    const large = [...preview.matchAll(/<article[\s\S]*?<\/article>/g)].map(([article]) => article.includes("No preview available..."));
    expect(large).toEqual([true, false, false, false, false, false]);
  });

  test("at most three pinned stories, the newest first", async () => {
    await write(5, { pinned: true }, "Pinned");
    const preview = await posts("/?tab=pinned");
    expect(chosenTab(preview)).toBe("Pinned , 3");
    expect(titlesIn(preview)).toEqual(["Pinned 5", "Pinned 4", "Pinned 3"]);
    expect(textOf(await posts("/?q=nothing"))).toContain("Pinned , 0");
    expect(linksIn(await posts("/?q=nothing&tab=pinned"))).toContainEqual(["Clear Search", "/?tab=pinned"]);
  });

  test("the invitation to read all stories comes with the seventh", async () => {
    const invitation = async () => /Join Free - Read All .*? Stories/.exec(textOf(await posts("/?tab=latest")))?.[0];
    await write(6);
    expect(await invitation()).toBeUndefined();
    await write(1, {}, "Seventh");
    expect(await invitation()).toBe("Join Free - Read All 7 Stories");
  });
});
