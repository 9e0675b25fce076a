import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setLike } from "#domain/reactions/reactions.server.ts";
import type { Member } from "#domain/site.ts";
import { openPage, type PageRequestOptions, titlesIn } from "../../tests/support/pages.ts";
import { addPost } from "../../tests/support/posts.ts";
import { watchQueries } from "../../tests/support/queries.ts";
import { openWorld, type World } from "../../tests/support/world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const minute = 60 * 1000;

async function write(count: number, chosen: Partial<Parameters<typeof addPost>[2]> = {}, by: Member = world.maren) {
  for (let index = 1; index <= count; index++) {
    world.clock.advance(minute);
    await addPost(world, by, { title: `Story ${index}`, ...chosen, id: `${chosen.id ?? "story"}-${index}` });
  }
}

const open = (path: string, options?: PageRequestOptions) => openPage(world, path, options);
const linkTo = (html: string, label: string) =>
  new RegExp(`<a [^>]*href="([^"]*)"[^>]*>(?:(?!</a>)[\\s\\S])*?${label}`).exec(html)?.[1]?.replaceAll("&amp;", "&");

describe("the signed-in home", () => {
  const home = (path = "/", as: Member = world.tobias) => open(path, { as });

  test("greets by the time of day and by the display name", async () => {
    world.clock.set(Date.UTC(2026, 10, 2, 13));
    expect((await home()).text).toMatch(/Good afternoon Welcome back, Tobias Lindqvist/);
  });
  test("shows likes, stories, new messages and members; the first three are links", async () => {
    await write(2, {}, world.tobias);
    await setLike(world.site, world.maren, "story-1", true);
    const { html, text } = await home();
    expect(text).toMatch(/Total Likes 1 Your Stories 2 New Messages 0 Community 4/);
    expect([linkTo(html, "Total Likes"), linkTo(html, "Your Stories"), linkTo(html, "New Messages")]).toEqual([
      "/profile",
      "/profile",
      "/messages",
    ]);
  });
  test("has a refresh button, a messages button, New Story and Quick Actions", async () => {
    const { html, text } = await home();
    expect(html).toContain('aria-label="Refresh"');
    expect([linkTo(html, "Messages"), linkTo(html, "New Story")]).toEqual(["/messages", "/add-post"]);
    expect(text).toContain("Quick Actions");
    expect([linkTo(html, "Explore All"), linkTo(html, "My Profile"), linkTo(html, "Explore More")]).toEqual([
      "/all-posts",
      "/profile",
      "/all-posts",
    ]);
  });
  test("shows pinned posts, and featured stories as one large and four labeled #2 to #5", async () => {
    await write(7, { featured: true });
    await write(1, { id: "pinned", title: "Pinned to the wall", pinned: true });
    const { text } = await home();
    expect(text).toMatch(/Pinned Posts Pinned Pinned to the wall/);
    expect(text.match(/FEATURED( #\d)?/g)).toEqual(["FEATURED", "FEATURED #2", "FEATURED #3", "FEATURED #4", "FEATURED #5"]);
  });
  test("lists the latest stories by 12, with the tabs All Stories and Trending", async () => {
    await write(14);
    const { html } = await home();
    expect(titlesIn(html)).toEqual(Array.from({ length: 12 }, (_, index) => `Story ${14 - index}`));
    expect([linkTo(html, "All Stories</"), linkTo(html, "Trending</")]).toEqual(["/all-posts", "/?tab=trending"]);
    const next = linkTo(html, "Load More Posts") ?? "";
    expect(titlesIn((await home(next)).html)).toEqual(["Story 2", "Story 1"]);
    expect(linkTo((await home(next)).html, "Trending</")).toBe("/?tab=trending"); // Changing a tab resets paging.
  });
  test("Trending lists the most viewed and liked stories of the last seven days", async () => {
    await write(1, { id: "old", title: "Old", views: 100 });
    world.clock.advance(8 * 24 * 60 * minute);
    await write(1, { id: "seen", title: "Seen", views: 5 });
    await write(1, { id: "loved", title: "Loved", likesCount: 3 });
    expect(titlesIn((await home("/?tab=trending")).html)).toEqual(["Loved", "Seen"]);
  });
  test("shows No stories yet, or No matches found", async () => {
    expect((await home()).text).toContain("No stories yet");
    await write(1);
    expect((await home("/?q=nowhere")).text).toContain("No matches found");
  });
  test("offers Try Again when it can't be loaded", async () => {
    const { text, response } = await open("/", { as: world.tobias, site: failingPage(world.site) });
    expect(response.status).toBe(500);
    expect(text).toMatch(/Something went wrong Failed to load content\. Please try again\. Try Again/);
  });
  test("answers requests for the figures, from members only", async () => {
    const { response } = await open("/home/figures", { as: world.tobias });
    expect(response.headers.get("content-type")).toContain("json");
    expect((await open("/home/figures")).response.status).not.toBe(200);
  });
});

describe("the landing page", () => {
  test("shows six of the latest stories and the total", async () => {
    await write(8);
    const { html, text } = await open("/?tab=latest");
    expect(titlesIn(html)).toEqual(["Story 8", "Story 7", "Story 6", "Story 5", "Story 4", "Story 3"]);
    expect(text).toContain("Join Free - Read All 8 Stories");
  });
  test("has no invitation when there are no more stories", async () => {
    await write(6);
    expect((await open("/?tab=latest")).text).not.toContain("Join Free");
  });
  test("honors the search in Latest", async () => {
    await write(2);
    await write(1, { id: "heron", title: "The heron" });
    const { html, text } = await open("/?tab=latest&q=heron");
    expect(titlesIn(html)).toEqual(["The heron"]);
    expect(text).toContain("Showing 1 of 1 story that matches “heron”");
    expect((await open("/?tab=latest&q=story")).text).toContain("Showing 2 of 2 stories that match “story”");
    expect((await open("/?tab=latest&q=nowhere")).text).toContain("No matching stories found");
  });
  test("shows a Pinned tab only with pinned posts, with the count on tabs that have one", async () => {
    await write(2, { featured: true });
    expect((await open("/")).text).toMatch(/Featured Stories , 2 Latest Stories (?!Pinned)/);
    await write(1, { id: "pinned", pinned: true });
    expect((await open("/")).text).toMatch(/Featured Stories , 2 Latest Stories Pinned , 1/);
  });
  test("shows No Featured Stories Yet, No stories available, No Pinned Stories", async () => {
    expect((await open("/")).text).toContain("No Featured Stories Yet");
    expect((await open("/?tab=latest")).text).toContain("No stories available");
    expect((await open("/?tab=pinned")).text).toContain("No Pinned Stories");
  });
  test("shows the specified figures, or the site's own if set", async () => {
    await write(3, { views: 1500 });
    expect((await open("/")).text).toMatch(/Users 15,420 Posts 48,391 Reads 2\.54M Online 8,290|15,420 .*48,391 .*2\.54M .*8,290/);
    const live = { ...world.site, settings: { ...world.site.settings, landingFigures: "live" as const } };
    const { text } = await open("/", { site: live });
    for (const figure of ["Users 4", "Posts 3", "Reads 4.5K", "Online 0"]) expect(text).toContain(figure);
  });
  test("has the four points of Why Join", async () => {
    const { text } = await open("/");
    for (const point of ["Free Forever", "Global Community", "Instant Publishing", "Reach Your Audience"]) expect(text).toContain(point);
  });
});

describe("all stories", () => {
  const all = (query = "", options: PageRequestOptions = {}) => open(`/all-posts${query}`, { as: world.tobias, ...options });

  test("has a Live badge, the writers, and counts shown out of the total", async () => {
    await write(13, { views: 1000, likesCount: 2 });
    const { text } = await all();
    expect(text).toMatch(/Live 1 writer All Stories Showing 12 of 13 stories/);
    expect(text).toMatch(/Total Stories 13 Total Views 13\.0K Total Likes 26 Authors 1/);
  });
  test("loads more by 12, also without JavaScript, in the order that was chosen", async () => {
    await write(14);
    const { html } = await all("?sort=oldest");
    expect(titlesIn(html).slice(0, 2)).toEqual(["Story 1", "Story 2"]);
    expect(titlesIn((await all(linkTo(html, "Load More Stories")?.replace("/all-posts", ""))).html)).toEqual(["Story 13", "Story 14"]);
  });
  test("shows sorts and views when Filters is on; sort, search and view are in the URL", async () => {
    await write(1);
    expect((await all()).text).not.toContain("Sort by");
    const { html, text } = await all("?filters=open&sort=likes");
    expect(text).toMatch(/Sort by Newest first Oldest first Trending Most views Most likes Title A-Z Author A-Z/);
    expect(html).toMatch(/<option value="likes" selected/);
    expect(linkTo(html, "List</")).toBe("/all-posts?filters=open&sort=likes&view=list");
    expect((await all("?filters=open&q=story")).text).toContain("Best match");
    expect(html).not.toContain('name="view"');
    expect((await all("?filters=open&view=list")).html).toContain('name="view" value="list"');
  });
  test("remembers grid or list for each member", async () => {
    await write(1);
    const chosen = (await all("?view=list")).response.headers.get("set-cookie")?.split(";")[0] ?? "";
    const isList = ({ html }: { html: string }) => html.includes("sm:grid-cols-[minmax(0,1fr)_248px]");
    expect(isList(await all())).toBe(false);
    expect(isList(await all("", { cookie: chosen }))).toBe(true);
    expect(isList(await all("", { cookie: chosen, as: world.maren }))).toBe(false);
    expect(isList(await all("?view=grid", { cookie: chosen }))).toBe(false);
  });
  test("ends with browsing statistics and community insights", async () => {
    await write(13, { views: 30, likesCount: 2 });
    const { text } = await all();
    expect(text).toMatch(/Browsing statistics You have seen 12 of 13 stories on this page\. 12 shown 1 to go/);
    expect(text).toMatch(/Community insights Average views per story 30 Average likes per story 2\.0 Stories per author 13/);
  });
  test("says how many stories match a search", async () => {
    await write(2);
    await write(1, { id: "heron", title: "The heron" });
    expect((await all("?q=heron")).text).toContain("Showing 1 of 1 story that matches “heron”");
    expect((await all("?q=story")).text).toContain("Showing 2 of 2 stories that match “story”");
  });
  test("without any story offers Share Your Story and My Profile", async () => {
    const { html, text } = await all();
    expect(text).toContain("No stories yet");
    expect([linkTo(html, "Share Your Story"), linkTo(html, "My Profile")]).toEqual(["/add-post", "/profile"]);
  });
  test("without a match offers Clear Search and Browse All", async () => {
    await write(1);
    const { html, text } = await all("?q=nowhere");
    expect(text).toContain("No stories found for “nowhere”");
    expect([linkTo(html, "Clear Search"), linkTo(html, "Browse All")]).toEqual(["/all-posts", "/"]);
  });
  test("reports a load failure and offers Try Again and Reload Page", async () => {
    const { text, response } = await all("", { site: failingPage(world.site) });
    expect(response.status).toBe(500);
    expect(text).toMatch(/Something went wrong Failed to load posts\. Please try again\. Try Again Reload Page/);
  });
  test("is for members, and for visitors when the listing is public: they are invited to join", async () => {
    await write(1);
    expect((await open("/all-posts")).response.headers.get("location")).toContain("/login");
    const opened = { ...world.site, settings: { ...world.site.settings, publicStoryListing: true } };
    expect(linkTo((await open("/all-posts", { site: opened })).html, "Join Our Community")).toBe("/signup");
    expect((await all("", { site: opened })).text).not.toContain("Join Our Community");
  });
});

test.each(["/", "/?tab=trending", "/all-posts", "/all-posts?sort=likes&view=list", "/all-posts?q=story", "/all-posts?q=story&sort=views"])(
  "%s needs as many queries for forty stories as for one",
  async (path) => {
    const countQueries = async () => {
      const { site, queries } = watchQueries(world.site);
      await open(path, { as: world.tobias, site });
      return queries.length;
    };
    await write(1, { featured: true, pinned: true });
    const few = await countQueries();
    await write(40, { id: "more", featured: true, pinned: true });
    expect(await countQueries()).toBe(few);
    expect(few).toBeLessThan(12);
  },
);

/** A site where the root loader works and page loaders fail. */
function failingPage(site: World["site"]): World["site"] {
  let calls = 0;
  const latest = () => {
    if (calls++ > 0) throw new Error("no events");
    return site.events.latest();
  };
  return { ...site, events: { ...site.events, latest } as World["site"]["events"] };
}
