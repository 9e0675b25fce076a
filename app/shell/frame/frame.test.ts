import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linksIn, openPage, partOf, textOf } from "../../../tests/support/pages.ts";
import type { PersonName } from "../../../tests/support/people.ts";
import { openWorld, type World } from "../../../tests/support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const open = (path: string, who?: PersonName, site?: World["site"]) =>
  openPage(world, path, { as: who ? world[who] : null, ...(site ? { site } : {}) });

describe("the header (specification §2, Header)", () => {
  const everyone = [["Home", "/"]];
  const signedOut = [
    ["Login", "/login"],
    ["Signup", "/signup"],
  ];
  const signedIn = [
    ["All Posts", "/all-posts"],
    ["Add Post", "/add-post"],
  ];
  const own = [
    ["Notifications", "/notifications"],
    ["Messages", "/messages"],
    ["Profile", "/profile"],
  ];
  const admin = [["Admin Panel", "/admin"]];

  test.each([
    { who: "a visitor", name: undefined, shown: [...everyone, ...signedOut], logout: false },
    { who: "a member", name: "maren", shown: [...everyone, ...signedIn, ...own], logout: true },
    { who: "a member who has not confirmed", name: "salma", shown: [...everyone, ...signedIn, ...own], logout: true },
    { who: "an administrator", name: "ruth", shown: [...everyone, ...signedIn, ...admin, ...own], logout: true },
  ] as const)("$who sees exactly these links, also in the mobile menu", async ({ name, shown, logout }) => {
    const header = partOf((await open("/help", name)).html, "header");
    const menu = partOf((await open("/menu?from=/help", name)).html, "main");
    const bar = header.replace(/<form [^>]*action="\/menu"[\s\S]*/, "");
    const [wordmark, ...links] = linksIn(bar);
    expect(wordmark).toEqual(["Inkstead", "/"]);
    expect(links).toEqual(shown);
    expect(linksIn(partOf(menu, "nav")).sort()).toEqual([...shown].sort());
    for (const each of [bar, menu]) expect([/action="\/logout"/.test(each), textOf(each).includes("Logout")]).toEqual([logout, logout]);
  });
});

test("without JavaScript the mobile menu is a page with a link back", async () => {
  const opening = partOf((await open("/all-posts?q=ink", "maren")).html, "form", 'action="/menu"');
  expect(opening).toContain('name="from" value="/all-posts?q=ink"');
  expect(linksIn((await open("/menu?from=%2Fall-posts%3Fq%3Dink", "maren")).html)).toContainEqual(["Close menu", "/all-posts?q=ink"]);
  expect(linksIn((await open("/menu?from=https://elsewhere.example")).html)).toContainEqual(["Close menu", "/"]);
  expect(linksIn((await open("/menu?from=/post/a-story")).html)).toContainEqual(["Login", "/login?then=%2Fpost%2Fa-story"]);
});

describe("the footer (specification §2, Footer)", () => {
  const links = [
    ["Home", "/"],
    ["All Stories", "/all-posts"],
    ["Write Story", "/add-post"],
    ["Messages", "/messages"],
    ["Profile", "/profile"],
    ["Featured Writers", "/featured-writers"],
    ["Writing Guidelines", "/writing-guidelines"],
    ["Community Rules", "/community-rules"],
    ["Events and Contests", "/events"],
    ["Community Chat", "/community-chat"],
    ["Help Center", "/help"],
    ["Contact Us", "/contact"],
    ["Privacy Policy", "/privacy"],
    ["Terms of Service", "/terms"],
    ["Cookie Policy", "/cookies"],
  ] as const;
  const forMembers = ["/all-posts", "/add-post", "/messages", "/profile"];
  const footer = async () => partOf((await open("/help")).html, "footer");

  test("has its five pages and the ten placeholders", async () => {
    const columns = [...(await footer()).matchAll(/<nav[\s\S]*?<\/nav>/g)].join("");
    expect(linksIn(columns)).toEqual(links);
  });

  test.each(links)("%s links to an existing page: %s", async (_label, to) => {
    const { response } = await open(to);
    const location = response.headers.get("location");
    if (!forMembers.includes(to)) return expect([response.status, location]).toEqual([200, null]);
    expect([response.status, location?.split("?")[0]]).toEqual([302, "/login"]);
    expect((await open(to, "maren")).response.status).toBe(200);
  });

  test("has social links, and Back to top links to the start of the page", async () => {
    const { html } = await open("/help");
    const all = linksIn(partOf(html, "footer"));
    const site = encodeURIComponent("http://inkstead.test");
    expect(all.filter(([, to]) => to.startsWith("https://"))).toEqual([
      ["Share on Twitter", `https://twitter.com/intent/tweet?url=${site}`],
      ["Share on Facebook", `https://www.facebook.com/sharer/sharer.php?u=${site}`],
      ["Share on LinkedIn", `https://www.linkedin.com/sharing/share-offsite/?url=${site}`],
    ]);
    expect(all).toContainEqual(["Back to top", "#top"]);
    expect(html.indexOf('id="top"')).toBeGreaterThan(0);
    expect(html.indexOf('id="top"')).toBeLessThan(html.indexOf("<header"));
  });

  test("has a Stay Updated email box with Subscribe", async () => {
    const html = await footer();
    const box = partOf(html.slice(html.indexOf("Stay Updated</h2>")), "form");
    for (const attribute of ['method="post"', 'action="/subscribe"']) expect(/^<form[^>]*>/.exec(box)?.[0]).toContain(attribute);
    expect(box).toMatch(/<input[^>]*type="email"[^>]*name="email"/);
    expect(textOf(partOf(box, "button", 'type="submit"'))).toBe("Subscribe");
  });

  test("without a mail server the subscribe box is shown on local sites only", async () => {
    const without = { ...world.site, mail: { ...world.site.mail, delivers: false } };
    expect((await open("/help", undefined, without)).text).not.toContain("Stay Updated");
    const page = await open("/subscribe", undefined, without);
    expect(page.text).toContain("There’s no newsletter at the moment.");
    expect(page.html).not.toContain('type="email"');
    expect((await open("/help", undefined, { ...without, url: "http://localhost:3000" })).text).toContain("Stay Updated");
  });

  test("the copyright year is the current year", async () => {
    const before = world.site.now();
    for (const year of [2026, 2031]) {
      world.clock.set(Date.UTC(year, 11, 31, 23, 59));
      expect(textOf(await footer())).toContain(`© ${year} Inkstead`);
    }
    world.clock.set(before);
  });
});

describe("error pages", () => {
  test("Oops! Something went wrong, with Reload Page and Go Home (specification §2, Global error fallback)", async () => {
    const latest = () => {
      throw new Error("no events");
    };
    const failing = { ...world.site, events: { ...world.site.events, latest } as World["site"]["events"] };
    const { html, text, response } = await open("/help?from=here", undefined, failing);
    expect(response.status).toBe(500);
    expect(textOf(partOf(html, "h1"))).toBe("Oops! Something went wrong");
    expect(linksIn(partOf(html, "main"))).toEqual([
      ["Reload Page", "/help?from=here"],
      ["Go Home", "/"],
    ]);
    expect(text).not.toContain("no events");
  });

  test.each(["/nowhere", "/nowhere/at/all", "/404"])(
    "Page Not Found at %s, with Go Back and Go Home (specification §2, 404 page)",
    async (path) => {
      const { html, response } = await open(path, "tobias");
      expect(response.status).toBe(404);
      expect(textOf(partOf(html, "h1"))).toBe("Page Not Found");
      // Without JavaScript Go Back leads home.
      expect(linksIn(partOf(html, "main"))).toEqual([
        ["Go Back", "/"],
        ["Go Home", "/"],
      ]);
      expect(linksIn(partOf(html, "header"))).toContainEqual(["All Posts", "/all-posts"]);
    },
  );
});
