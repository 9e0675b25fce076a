import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setFollow } from "#domain/follows/follows.server.ts";
import { createPost } from "#domain/posts/posts.server.ts";
import { setBookmark, setLike } from "#domain/reactions/reactions.server.ts";
import type { Member } from "#domain/site.ts";
import { picture } from "../../tests/pictures.ts";
import { formPost, openWeb } from "../../tests/web.ts";
import { addMember, openWorld, signIn, type World } from "../../tests/world.ts";

let world: World;
let web: ReturnType<typeof openWeb>;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
});
afterEach(() => world.close());

const cookieOf = async (person: Member) => (await signIn(world, person)).cookie;
const get = async (path: string, person?: Member) => web.request(path, { headers: person ? { cookie: await cookieOf(person) } : {} });
const post = async (path: string, fields: Record<string, string>, person?: Member) =>
  web.request(path, formPost(fields, person ? { cookie: await cookieOf(person) } : {}));
const html = async (answer: Promise<Response>) => (await (await answer).text()).replaceAll(/<!-- -->/g, "");
const toastOf = (answer: Response) => decodeURIComponent(/inkstead_toast=([^;]*)/.exec(answer.headers.get("set-cookie") ?? "")?.[1] ?? "");
const write = async (by: Member, slug: string, status: "active" | "inactive" = "active") =>
  createPost(world.site, by, { title: slug.replaceAll("-", " "), slug, content: "Salt and smoke.", status }, await picture());
const form = (fields: Record<string, string | Blob>) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return body;
};
const send = async (fields: Record<string, string | Blob>, person?: Member) =>
  web.request("/edit-profile", {
    method: "POST",
    body: form(fields),
    headers: { origin: "http://inkstead.test", ...(person ? { cookie: await cookieOf(person) } : {}) },
  });

describe("one's own profile (specification §2, Own profile)", () => {
  test("leads a visitor to the login screen and back", async () => {
    const answer = await get("/profile?tab=bookmarks");
    expect(answer.headers.get("location")).toBe("/login?then=%2Fprofile%3Ftab%3Dbookmarks");
  });

  test("has its header, four tabs, the address, the joined date, stat cards, completion and quick actions", async () => {
    const page = await html(get("/profile", world.maren));
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
    const page = await html(get("/profile", world.maren));
    for (const text of ["About", "Keeps a lighthouse.", "Location", "Stornoway", "80%", "Add a picture to finish your profile."])
      expect(page).toContain(text);
    for (const href of ["https://maren.example/", "https://twitter.com/maren", "https://github.com/maren"])
      expect(page).toContain(`href="${href}" target="_blank" rel="me nofollow noopener"`);
  });

  test("the display name falls back to the account's name", async () => {
    await world.site.db.updateTable("profiles").set({ userName: "" }).execute();
    const page = await html(get("/profile", world.maren));
    expect(page).toContain("Maren Oduya");
    expect(page).toMatch(/Display name<\/dt><dd[^>]*>Not set/);
  });

  test("and without one to User", async () => {
    await world.site.db.updateTable("profiles").set({ userName: "" }).execute();
    const cookie = await cookieOf(world.maren);
    await world.site.db.updateTable("users").set({ name: "" }).where("id", "=", world.maren.id).execute();
    const page = await (await web.request("/profile", { headers: { cookie } })).text();
    expect(page).toMatch(/<h2[^>]*>User<\/h2>/);
  });

  test("an unknown tab is the first", async () => {
    expect(await html(get("/profile?tab=secrets", world.maren))).toContain("Profile Completion");
  });
});

describe("bookmarks (specification §2, Own profile)", () => {
  test("none at all", async () => {
    const page = await html(get("/profile?tab=bookmarks", world.tobias));
    for (const text of ["Bookmarked Posts", "0 posts bookmarked", "No bookmarks yet", "Start bookmarking posts you want to read later"])
      expect(page).toContain(text);
    expect(page).not.toContain("Search bookmarks...");
  });

  test("each with badge, title, snippet, dates, likes, author, Read and Remove Bookmark", async () => {
    await write(world.maren, "night-bus");
    await setBookmark(world.site, world.tobias, "night-bus", true);
    const page = await html(get("/profile?tab=bookmarks", world.tobias));
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

  test("of a story whose author has no name: Anonymous", async () => {
    await write(world.maren, "night-bus");
    await setBookmark(world.site, world.tobias, "night-bus", true);
    await world.site.db.updateTable("posts").set({ userName: "" }).execute();
    await world.site.db.updateTable("profiles").set({ userName: "" }).execute();
    expect(await html(get("/profile?tab=bookmarks", world.tobias))).toContain(">Anonymous<");
  });

  test("a search without a match says so", async () => {
    await write(world.maren, "night-bus");
    await setBookmark(world.site, world.tobias, "night-bus", true);
    const page = await html(get("/profile?tab=bookmarks&find=moths", world.tobias));
    for (const text of ["No bookmarks found", "No results", "Search bookmarks...", 'value="moths"']) expect(page).toContain(text);
    expect(await html(get("/profile?tab=bookmarks&find=night", world.tobias))).toContain("Salt and smoke.");
  });

  test("one is removed after a yes; without JavaScript a page asks", async () => {
    await write(world.maren, "night-bus");
    await setBookmark(world.site, world.tobias, "night-bus", true);
    const path = "/profile/bookmarks/night-bus/remove";
    expect(await html(post(path, {}, world.tobias))).toContain("Remove this post from bookmarks?");
    expect(await html(get("/profile?tab=bookmarks", world.tobias))).toContain("1 post bookmarked");
    const answer = await post(path, { confirmed: "yes", back: "/profile?tab=bookmarks&find=bus" }, world.tobias);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/profile?tab=bookmarks&find=bus"]);
    expect(toastOf(answer)).toContain("Removed from bookmarks");
    expect(await html(get("/profile?tab=bookmarks", world.tobias))).toContain("0 posts bookmarked");
  });
});

describe("editing one's profile (specification §2, §8)", () => {
  const typed = {
    userName: "M. Oduya",
    bio: "One\r\ntwo",
    location: "Stornoway",
    website: "maren.example",
    twitter: "@m",
    github: "m",
    linkedIn: "m",
  };

  test("has all sections, the hint and the read-only account", async () => {
    const page = await html(get("/edit-profile", world.maren));
    for (const text of ["Profile Picture", "Basic Information", "Social Links", "Account Information", "Cancel", "Save Changes"])
      expect(page).toContain(text);
    for (const text of [
      "Recommended: Square image, at least 400x400px. JPG, PNG, or GIF (max 5MB)",
      "Account information cannot be changed from this page.",
      'value="maren@example.com"',
    ])
      expect(page).toContain(text);
    expect(page).toMatch(/type="url"[^>]*name="website"|name="website"[^>]*type="url"/);
  });

  test("saves without JavaScript and goes to the profile", async () => {
    const answer = await send({ ...typed, profileImage: new File([], "") }, world.maren);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/profile"]);
    expect(toastOf(answer)).toContain("Profile updated successfully!");
    const page = await html(get("/profile", world.maren));
    for (const text of ["M. Oduya", "One\ntwo", "Stornoway"]) expect(page).toContain(text);
  });

  test("makes the profile when there is none", async () => {
    await world.site.db.deleteFrom("profiles").where("userId", "=", world.maren.id).execute();
    expect(await html(get("/edit-profile", world.maren))).toContain('value="Maren Oduya"');
    expect((await send(typed, world.maren)).status).toBe(302);
    expect(await html(get(`/profile/${world.maren.id}`))).toContain("M. Oduya");
  });

  test("keeps everything that was typed when something is wrong", async () => {
    const answer = await send({ ...typed, userName: " ", website: "no page" }, world.maren);
    expect(answer.status).toBe(422);
    const page = await answer.text();
    for (const text of [
      "Display name is required",
      "Please enter a valid website address",
      "Failed to update profile: ",
      'value="no page"',
      "Stornoway",
    ])
      expect(page).toContain(text);
  });

  test("keeps it when the session has ended meanwhile", async () => {
    const answer = await send(typed);
    expect(answer.status).toBe(401);
    const page = await answer.text();
    for (const text of ["User information not available", "M. Oduya", "Stornoway", "log in in another tab"]) expect(page).toContain(text);
  });

  test("keeps it when the picture is none, and when the database fails", async () => {
    const none = await send({ ...typed, profileImage: new File(["<svg/>"], "me.png") }, world.maren);
    expect(none.status).toBe(422);
    for (const text of ["Please select a valid image file", "Stornoway"]) expect(await none.clone().text()).toContain(text);
    const empty = await send({ ...typed, profileImage: new File([], "me.png") }, world.maren);
    expect(await empty.text()).toContain("Please select a valid image file");
    world.site.events.append = () => Promise.reject(new Error("the disk is full"));
    const fault = await send(typed, world.maren);
    expect(fault.status).toBe(500);
    for (const text of ["Failed to update profile: Unknown error", "Stornoway"]) expect(await fault.clone().text()).toContain(text);
  });

  test("saves the rest when the picture can't be kept, and says so", async () => {
    world.site.files.put = () => Promise.reject(new Error("the disk is full"));
    const { bytes } = await picture("me.png", 500, 500);
    const answer = await send({ ...typed, profileImage: new File([bytes as Uint8Array<ArrayBuffer>], "me.png") }, world.maren);
    // Both, as the specification's catalogue of errors says: the picture failed, and the profile was saved.
    const cookie = answer.headers.getSetCookie().find((each) => each.startsWith("inkstead_toast")) ?? "";
    const next = await web.request("/profile", { headers: { cookie: `${await cookieOf(world.maren)}; ${cookie.split(";")[0]}` } });
    const page = await next.text();
    for (const text of ["Failed to upload image. Other changes will still be saved.", "Profile updated successfully!", "M. Oduya"])
      expect(page).toContain(text);
  });

  test("says when the profile can't be loaded", async () => {
    const cookie = await cookieOf(world.maren);
    const { db } = world.site;
    const select = db.selectFrom.bind(db);
    db.selectFrom = ((table: never) => {
      if (JSON.stringify(table) === '"users as u"') throw new Error("the disk is gone");
      return select(table);
    }) as typeof db.selectFrom;
    const answer = await web.request("/edit-profile", { headers: { cookie } });
    db.selectFrom = select;
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain("Failed to load profile data");
  });
});

describe("another member's profile (specification §2, Other user's profile)", () => {
  test("shows name, initials, joined date, figures, links and stories to everybody", async () => {
    await write(world.maren, "night-bus");
    await write(world.maren, "a-secret", "inactive");
    const page = await html(get(`/profile/${world.maren.id}`));
    for (const text of ["Maren Oduya", ">MO<", "Joined ", "Posts", "Likes Received", "night bus", "Back", "0 followers"])
      expect(page).toContain(text);
    for (const text of ["a secret", ">Message<", ">Follow<", "Edit Profile"]) expect(page).not.toContain(text);
  });

  test("offers Message and Follow to members other than the owner", async () => {
    const page = await html(get(`/profile/${world.maren.id}`, world.tobias));
    for (const text of [`href="/messages/${world.maren.id}"`, ">Message<", ">Follow<"]) expect(page).toContain(text);
    await setFollow(world.site, world.tobias, { userId: world.maren.id, following: true });
    const followed = await html(get(`/profile/${world.maren.id}`, world.tobias));
    for (const text of [">Following<", "1 follower "]) expect(followed).toContain(text);
    expect(await html(get(`/profile/${world.maren.id}`, world.maren))).not.toContain(">Message<");
  });

  test("has the likes of all stories, and links that open in a new tab and vouch for nothing", async () => {
    for (const slug of ["night-bus", "tide-table"]) {
      await write(world.maren, slug);
      for (const fan of [world.tobias, world.ruth]) await setLike(world.site, fan, slug, true);
    }
    await world.site.db
      .updateTable("profiles")
      .set({ website: "maren.example", twitter: "@maren", github: "maren", linkedIn: "https://www.linkedin.com/in/maren" })
      .where("userId", "=", world.maren.id)
      .execute();
    const page = await html(get(`/profile/${world.maren.id}`));
    expect(page).toMatch(/Likes Received<\/dt><dd[^>]*>4<\/dd>/);
    for (const href of [
      "https://maren.example/",
      "https://twitter.com/maren",
      "https://github.com/maren",
      "https://www.linkedin.com/in/maren",
    ])
      expect(page).toContain(`href="${href}" target="_blank" rel="me nofollow noopener"`);
  });

  test("without stories says so, to the owner in other words", async () => {
    expect(await html(get(`/profile/${world.maren.id}`, world.tobias))).toContain("This user hasn&#x27;t published any posts yet.");
    expect(await html(get(`/profile/${world.maren.id}`, world.maren))).toContain("Start writing your first post!");
  });

  test("of nobody leads to /404", async () => {
    const answer = await get("/profile/nobody");
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/404"]);
    expect((await get("/404")).status).toBe(404);
  });

  test("of somebody who left says User Not Found, with the way home", async () => {
    await world.site.db.insertInto("deleted_accounts").values({ userId: "somebody", deletedAt: 1 }).execute();
    const answer = await get("/profile/somebody");
    expect(answer.status).toBe(410);
    const page = await answer.text();
    for (const text of ["User Not Found", "Go Home"]) expect(page).toContain(text);
  });

  test("Follow works without JavaScript and comes back to the page", async () => {
    const path = `/profile/${world.maren.id}`;
    const answer = await post(`${path}/follow`, { following: "yes" }, world.tobias);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, path]);
    expect(await html(get(path, world.tobias))).toContain(">Following<");
    await post(`${path}/follow`, { following: "no" }, world.tobias);
    expect(await html(get(path, world.tobias))).toContain(">Follow<");
    expect((await post(`${path}/follow`, { following: "yes" })).headers.get("location")).toContain("/login");
    expect(toastOf(await post(`${path}/follow`, { following: "yes" }, world.maren))).toContain("not allowed");
  });

  test("pages through the stories by what came last", async () => {
    const una = await addMember(world, "Una Writes");
    const texts = { userName: una.name, content: "", markdown: "", summary: "", plainText: "", words: 0, featuredImage: null };
    const rest = { featured: false, pinned: false, views: 0, likesCount: 0, bookmarksCount: 0, updatedAt: 1, status: "active" as const };
    const rows = Array.from({ length: 14 }, (_, index) => ({
      id: `s-${index}`,
      title: `Story number ${index}.`,
      userId: una.id,
      ...texts,
      ...rest,
      createdAt: index + 1,
    }));
    await world.site.db.insertInto("posts").values(rows).execute();
    const first = await html(get(`/profile/${una.id}`));
    expect(first).toContain("Story number 13.");
    expect(first).not.toContain("Story number 1.");
    const next = /href="(\/profile\/[^"]*after=[^"]*)"/.exec(first)?.[1] ?? "";
    expect(await html(get(next.replaceAll("&amp;", "&")))).toContain("Story number 1.");
  });
});
