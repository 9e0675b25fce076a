import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setFollow } from "#domain/follows/follows.server.ts";
import { setLike } from "#domain/reactions/reactions.server.ts";
import { html, type MemberPages, openMemberPages, toastOf } from "../../tests/support/browsers/member-pages.ts";
import { addMember, type World } from "../../tests/support/world.ts";

let pages: MemberPages;
let world: World;
beforeEach(async () => {
  pages = await openMemberPages();
  world = pages.world;
});
afterEach(() => world.close());

describe("another member's profile (specification §2, Other user's profile)", () => {
  test("shows name, initials, joined date, figures, links and stories to everyone", async () => {
    await pages.write(world.maren, "night-bus");
    await pages.write(world.maren, "a-secret", "inactive");
    const page = await html(pages.get(`/profile/${world.maren.id}`));
    for (const text of ["Maren Oduya", ">MO<", "Joined ", "Posts", "Likes Received", "night bus", "Back", "0 followers"])
      expect(page).toContain(text);
    for (const text of ["a secret", ">Message<", ">Follow<", "Edit Profile"]) expect(page).not.toContain(text);
  });

  test("offers Message and Follow to members other than the owner", async () => {
    const page = await html(pages.get(`/profile/${world.maren.id}`, world.tobias));
    for (const text of [`href="/messages/${world.maren.id}"`, ">Message<", ">Follow<"]) expect(page).toContain(text);
    await setFollow(world.site, world.tobias, { userId: world.maren.id, following: true });
    const followed = await html(pages.get(`/profile/${world.maren.id}`, world.tobias));
    for (const text of [">Following<", "1 follower "]) expect(followed).toContain(text);
    expect(await html(pages.get(`/profile/${world.maren.id}`, world.maren))).not.toContain(">Message<");
  });

  test("shows the likes of all stories, and links that open in a new tab with nofollow", async () => {
    for (const slug of ["night-bus", "tide-table"]) {
      await pages.write(world.maren, slug);
      for (const fan of [world.tobias, world.ruth]) await setLike(world.site, fan, slug, true);
    }
    await world.site.db
      .updateTable("profiles")
      .set({ website: "maren.example", twitter: "@maren", github: "maren", linkedIn: "https://www.linkedin.com/in/maren" })
      .where("userId", "=", world.maren.id)
      .execute();
    const page = await html(pages.get(`/profile/${world.maren.id}`));
    expect(page).toMatch(/Likes Received<\/dt><dd[^>]*>4<\/dd>/);
    for (const href of [
      "https://maren.example/",
      "https://twitter.com/maren",
      "https://github.com/maren",
      "https://www.linkedin.com/in/maren",
    ])
      expect(page).toContain(`href="${href}" target="_blank" rel="me nofollow noopener"`);
  });

  test("shows an empty state, with another text for the owner", async () => {
    expect(await html(pages.get(`/profile/${world.maren.id}`, world.tobias))).toContain("This user hasn&#x27;t published any posts yet.");
    expect(await html(pages.get(`/profile/${world.maren.id}`, world.maren))).toContain("Start writing your first post!");
  });

  test("links its tab to its own address", async () => {
    const page = await html(pages.get(`/profile/${world.maren.id}`));
    expect(page).toMatch(new RegExp(`<nav aria-label="Profile"[^>]*><ul[^>]*><li><a[^>]* href="/profile/${world.maren.id}"`));
    expect(page).not.toContain('href="."');
  });

  test("redirects to /404 for an unknown member", async () => {
    const answer = await pages.get("/profile/nobody");
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/404"]);
    expect((await pages.get("/404")).status).toBe(404);
  });

  test("shows User Not Found with a link home for a deleted account", async () => {
    await world.site.db.insertInto("deleted_accounts").values({ userId: "somebody", deletedAt: 1 }).execute();
    const answer = await pages.get("/profile/somebody");
    expect(answer.status).toBe(410);
    const page = await answer.text();
    for (const text of ["User Not Found", "Go Home"]) expect(page).toContain(text);
  });

  test("Follow works without JavaScript and returns to the page", async () => {
    const path = `/profile/${world.maren.id}`;
    const answer = await pages.post(`${path}/follow`, { following: "yes" }, world.tobias);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, path]);
    expect(await html(pages.get(path, world.tobias))).toContain(">Following<");
    await pages.post(`${path}/follow`, { following: "no" }, world.tobias);
    expect(await html(pages.get(path, world.tobias))).toContain(">Follow<");
    expect((await pages.post(`${path}/follow`, { following: "yes" })).headers.get("location")).toContain("/login");
    expect(toastOf(await pages.post(`${path}/follow`, { following: "yes" }, world.maren))).toContain("don’t have permission");
  });

  test("pages through the stories, newest first", async () => {
    const una = await addMember(world, "Una Writes");
    const texts = { userName: una.name, content: "", markdown: "", summary: "", plainText: "", words: 0, featuredImage: null };
    const rest = { featured: false, pinned: false, views: 0, likesCount: 0, bookmarksCount: 0, updatedAt: 1, status: "active" as const };
    const rows = Array.from({ length: 14 }, (_, index) => ({
      id: `s-${index}`,
      title: `Story number ${index}.`,
      userId: una.id,
      ...texts,
      ...rest,
      publishedAt: index + 1,
      createdAt: index + 1,
    }));
    await world.site.db.insertInto("posts").values(rows).execute();
    const first = await html(pages.get(`/profile/${una.id}`));
    expect(first).toContain("Story number 13.");
    expect(first).not.toContain("Story number 1.");
    const next = /href="(\/profile\/[^"]*after=[^"]*)"/.exec(first)?.[1] ?? "";
    expect(await html(pages.get(next.replaceAll("&amp;", "&")))).toContain("Story number 1.");
  });
});
