import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setBookmark, setLike } from "#domain/reactions/reactions.server.ts";
import { html, type MemberPages, openMemberPages, toastOf } from "../../tests/support/browsers/member-pages.ts";
import { textOf } from "../../tests/support/pages.ts";
import type { World } from "../../tests/support/world.ts";

let pages: MemberPages;
let world: World;
beforeEach(async () => {
  pages = await openMemberPages();
  world = pages.world;
});
afterEach(() => world.close());

describe("the own profile (specification §2, Own profile)", () => {
  test("redirects a visitor to log in and back", async () => {
    const answer = await pages.get("/profile?tab=bookmarks");
    expect(answer.headers.get("location")).toBe("/login?then=%2Fprofile%3Ftab%3Dbookmarks");
  });

  test("has its header, four tabs, the address, the joined date, stat cards, completion and quick actions", async () => {
    const page = await html(pages.get("/profile", world.maren));
    for (const text of [
      "User Profile",
      "Edit Profile",
      "Your Posts",
      "Bookmarks",
      "Drafts",
      "maren@example.com",
      "Joined ",
      "Articles Published",
    ])
      expect(page).toContain(text);
    for (const text of ["Articles Bookmarked", "Profile Completion", "20%", "Quick Actions", "Display name", "Social Links", "Not set"])
      expect(page).toContain(text);
    expect(page).not.toContain(">About<");
    expect(page).not.toContain(">Location<");
  });

  test("shows About and Location only when they are set, links as addresses", async () => {
    const links = { website: "maren.example", twitter: "@maren", github: "maren", linkedIn: "" };
    await world.site.db
      .updateTable("profiles")
      .set({ bio: "Keeps a lighthouse.", location: "Stornoway", ...links })
      .execute();
    const page = await html(pages.get("/profile", world.maren));
    for (const text of ["About", "Keeps a lighthouse.", "Location", "Stornoway", "80%", "Add a picture to finish your profile."])
      expect(page).toContain(text);
    for (const href of ["https://maren.example/", "https://twitter.com/maren", "https://github.com/maren"])
      expect(page).toContain(`href="${href}" target="_blank" rel="me nofollow noopener"`);
  });

  test.each([
    ["https://x.com/100%off", "@100%off"],
    ["https://x.com/maren?lang=en", "@maren"],
  ])("shows the Twitter handle of %s", async (twitter, shown) => {
    await world.site.db.updateTable("profiles").set({ twitter }).execute();
    expect(await html(pages.get("/profile", world.maren))).toContain(`>${shown}</a>`);
  });

  test("the display name falls back to the account's name", async () => {
    await world.site.db.updateTable("profiles").set({ userName: "" }).execute();
    const page = await html(pages.get("/profile", world.maren));
    expect(page).toContain("Maren Oduya");
    expect(page).toMatch(/Display name<\/dt><dd[^>]*>Not set/);
  });

  test("the display name falls back to User without an account name", async () => {
    await world.site.db.updateTable("profiles").set({ userName: "" }).execute();
    const cookie = await pages.cookieOf(world.maren);
    await world.site.db.updateTable("users").set({ name: "" }).where("id", "=", world.maren.id).execute();
    const page = await (await pages.web.request("/profile", { headers: { cookie } })).text();
    expect(page).toMatch(/<h2[^>]*>User<\/h2>/);
  });

  test("an unknown tab opens the first one", async () => {
    expect(await html(pages.get("/profile?tab=secrets", world.maren))).toContain("Profile Completion");
  });
});

describe("bookmarks (specification §2, Own profile)", () => {
  test("shows an empty state", async () => {
    const page = await html(pages.get("/profile?tab=bookmarks", world.tobias));
    for (const text of ["Bookmarked Posts", "0 posts bookmarked", "No bookmarks yet", "Start bookmarking posts you want to read later"])
      expect(page).toContain(text);
    expect(page).not.toContain("Search bookmarks...");
  });

  test("open the first tab while the feature is off", async () => {
    world.site.settings.enableBookmarks = false;
    const page = await html(pages.get("/profile?tab=bookmarks", world.tobias));
    expect(page).toContain("Profile Completion");
    expect(page).not.toContain("Bookmarked Posts");
  });

  test("each with badge, title, snippet, dates, likes, author, Read and Remove Bookmark", async () => {
    await pages.write(world.maren, "night-bus");
    await setBookmark(world.site, world.tobias, "night-bus", true);
    await setLike(world.site, world.tobias, "night-bus", true);
    const page = await html(pages.get("/profile?tab=bookmarks", world.tobias));
    expect(textOf(page)).toMatch(/ 1 like\b/);
    for (const text of [
      "1 post bookmarked",
      "Bookmarked",
      "night bus",
      "Salt and smoke.",
      "Saved today",
      "Maren Oduya",
      "Read",
      "Remove Bookmark",
    ])
      expect(page).toContain(text);
    expect(page).toContain('href="/post/night-bus"');
    expect(page).toContain("Search bookmarks...");
  });

  test("shows Anonymous for an author without a name", async () => {
    await pages.write(world.maren, "night-bus");
    await setBookmark(world.site, world.tobias, "night-bus", true);
    await world.site.db.updateTable("posts").set({ userName: "" }).execute();
    await world.site.db.updateTable("profiles").set({ userName: "" }).execute();
    expect(await html(pages.get("/profile?tab=bookmarks", world.tobias))).toContain(">Anonymous<");
  });

  test("reports a search without matches", async () => {
    await pages.write(world.maren, "night-bus");
    await setBookmark(world.site, world.tobias, "night-bus", true);
    const page = await html(pages.get("/profile?tab=bookmarks&find=moths", world.tobias));
    for (const text of ["No bookmarks found", "No results", "Search bookmarks...", 'value="moths"']) expect(page).toContain(text);
    expect(await html(pages.get("/profile?tab=bookmarks&find=night", world.tobias))).toContain("Salt and smoke.");
  });

  test("a bookmark is removed after confirmation; without JavaScript a page asks", async () => {
    await pages.write(world.maren, "night-bus");
    await setBookmark(world.site, world.tobias, "night-bus", true);
    const path = "/profile/bookmarks/night-bus/remove";
    expect(await html(pages.post(path, {}, world.tobias))).toContain("Remove this post from bookmarks?");
    expect(await html(pages.get("/profile?tab=bookmarks", world.tobias))).toContain("1 post bookmarked");
    const answer = await pages.post(path, { confirmed: "yes", back: "/profile?tab=bookmarks&find=bus" }, world.tobias);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/profile?tab=bookmarks&find=bus"]);
    expect(toastOf(answer)).toContain("Removed from bookmarks");
    expect(await html(pages.get("/profile?tab=bookmarks", world.tobias))).toContain("0 posts bookmarked");
  });
});
