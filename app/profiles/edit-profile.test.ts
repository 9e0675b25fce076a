import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readProfileForEditing } from "#domain/profiles/profile-reads.server.ts";
import { changeProfile } from "#domain/profiles/profiles.server.ts";
import type { Member } from "#domain/site.ts";
import { html, type MemberPages, openMemberPages, toastOf } from "../../tests/support/browsers/member-pages.ts";
import { picture } from "../../tests/support/pictures.ts";
import type { World } from "../../tests/support/world.ts";

let pages: MemberPages;
let world: World;
beforeEach(async () => {
  pages = await openMemberPages();
  world = pages.world;
});
afterEach(() => world.close());

const form = (fields: Record<string, string | Blob>) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return body;
};
const send = async (fields: Record<string, string | Blob>, person?: Member) =>
  pages.web.request("/edit-profile", {
    method: "POST",
    body: form(fields),
    headers: { origin: "http://inkstead.test", ...(person ? { cookie: await pages.cookieOf(person) } : {}) },
  });

describe("editing the own profile (specification §2, §8)", () => {
  const values = {
    userName: "M. Oduya",
    bio: "One\r\ntwo",
    location: "Stornoway",
    website: "maren.example",
    twitter: "@m",
    github: "m",
    linkedIn: "m",
  };

  test("has all sections, the hint and the read-only account", async () => {
    const page = await html(pages.get("/edit-profile", world.maren));
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
    const answer = await send({ ...values, profileImage: new File([], "") }, world.maren);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/profile"]);
    expect(toastOf(answer)).toContain("Profile updated successfully!");
    const page = await html(pages.get("/profile", world.maren));
    for (const text of ["M. Oduya", "One\ntwo", "Stornoway"]) expect(page).toContain(text);
  });

  const shownIn = (page: string) => {
    const [, json = ""] = /name="shown" value="([^"]*)"/.exec(page) ?? [];
    return json.replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
  };

  test("doesn't change the profile of a member who has signed in since", async () => {
    const shown = shownIn(await html(pages.get("/edit-profile", world.maren)));
    const refused = await send({ ...values, shown }, world.tobias);
    expect(refused.status).toBe(403);
    const page = await refused.text();
    for (const text of ["Failed to update profile: You’re signed in with another account", "M. Oduya", "Stornoway"])
      expect(page).toContain(text);
    expect((await send({ ...values, shown: shownIn(page) }, world.tobias)).status).toBe(403);
    expect(await readProfileForEditing(world.site, world.tobias)).toMatchObject({ userName: world.tobias.name, location: "" });
    expect((await send({ ...values, shown: shownIn(page) }, world.maren)).status).toBe(302);
  });

  test("changes only what was typed, and keeps it when the same was changed elsewhere", async () => {
    await send(values, world.maren);
    const shown = shownIn(await html(pages.get("/edit-profile", world.maren)));
    await changeProfile(world.site, world.maren, { bio: "Climbs.", github: "maren" });
    expect((await send({ ...values, location: "Ullapool", shown }, world.maren)).status).toBe(302);
    const profile = () => readProfileForEditing(world.site, world.maren);
    expect(await profile()).toMatchObject({ bio: "Climbs.", github: "maren", location: "Ullapool" });
    const refused = await send({ ...values, bio: "Sails.", location: "Ullapool", shown }, world.maren);
    expect(refused.status).toBe(409);
    const page = await refused.text();
    for (const text of ["It was changed elsewhere to “Climbs.”", "Sails.</textarea>", 'value="maren"']) expect(page).toContain(text);
    const again = { ...values, bio: "Sails.", github: "maren", location: "Ullapool", shown: shownIn(page) };
    expect((await send(again, world.maren)).status).toBe(302);
    expect(await profile()).toMatchObject({ bio: "Sails.", github: "maren", location: "Ullapool" });
  });

  test("creates a missing profile", async () => {
    await world.site.db.deleteFrom("profiles").where("userId", "=", world.maren.id).execute();
    expect(await html(pages.get("/edit-profile", world.maren))).toContain('value="Maren Oduya"');
    expect((await send(values, world.maren)).status).toBe(302);
    expect(await html(pages.get(`/profile/${world.maren.id}`))).toContain("M. Oduya");
  });

  test("keeps all values when one is invalid", async () => {
    const answer = await send({ ...values, userName: " ", website: "no page" }, world.maren);
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

  test("keeps the values when the session has ended", async () => {
    const answer = await send(values);
    expect(answer.status).toBe(401);
    const page = await answer.text();
    for (const text of ["User information not available", "M. Oduya", "Stornoway", "sign in again in a new tab"])
      expect(page).toContain(text);
  });

  test("keeps the values when the database fails", async () => {
    world.site.events.append = () => Promise.reject(new Error("the disk is full"));
    const fault = await send(values, world.maren);
    expect(fault.status).toBe(500);
    for (const text of ["Failed to update profile: Unknown error", "Stornoway"]) expect(await fault.clone().text()).toContain(text);
  });

  test.each(["is none", "can’t be kept"])("saves the rest when the picture %s, and reports it", async (reason) => {
    world.site.files.put = () => Promise.reject(new Error("the disk is full"));
    const { bytes } = await picture("me.png", 500, 500);
    const file = reason === "is none" ? new File(["<svg/>"], "me.png") : new File([bytes as Uint8Array<ArrayBuffer>], "me.png");
    const answer = await send({ ...values, profileImage: file }, world.maren);
    // Both toasts of the specification's error catalog: the picture failed, and the profile was saved.
    const cookie = answer.headers.getSetCookie().find((each) => each.startsWith("inkstead_toast")) ?? "";
    const next = await pages.web.request("/profile", {
      headers: { cookie: `${await pages.cookieOf(world.maren)}; ${cookie.split(";")[0]}` },
    });
    const page = await next.text();
    for (const text of ["Failed to upload image. Other changes will still be saved.", "Profile updated successfully!", "M. Oduya"])
      expect(page).toContain(text);
  });

  test("reports that the profile can't be loaded", async () => {
    const cookie = await pages.cookieOf(world.maren);
    const { db } = world.site;
    const select = db.selectFrom.bind(db);
    db.selectFrom = ((table: never) => {
      if (JSON.stringify(table) === '"users as u"') throw new Error("the disk is gone");
      return select(table);
    }) as typeof db.selectFrom;
    const answer = await pages.web.request("/edit-profile", { headers: { cookie } });
    db.selectFrom = select;
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain("Failed to load profile data");
  });
});
