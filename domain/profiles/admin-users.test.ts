import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addPost } from "../../tests/support/posts.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { grantRole } from "../accounts/staff-roles.server.ts";
import { sendMessage } from "../messages/messages.server.ts";
import { adjustLikes } from "../moderation/posts/adjust-counts.server.ts";
import { suspendMember } from "../moderation/suspensions.server.ts";
import { setLike } from "../reactions/reactions.server.ts";
import { countUsers, listUsers, type UserQuery } from "./admin-users.server.ts";
import { type AdminUser, userSorts } from "./admin-users.ts";

const limit = 4;
const day = 24 * 60 * 60_000;

describe("the list of members", () => {
  let world: World;
  let all: AdminUser[];
  beforeAll(async () => {
    world = await openWorld();
    world.clock.advance(10 * day);
    for (let i = 0; i < 17; i++) {
      await addMember(world, `${["Ines", "amadou", "Zoë", "Kenji"][i % 4]} ${i % 5}`, { email: `person-${i}@example.com` });
      if (i % 3 === 0) world.clock.advance(1000);
    }
    await addPost(world, world.maren, { id: "one" });
    await setLike(world.site, world.tobias, "one", true);
    await adjustLikes(world.site, world.ruth, "one", 5);
    await addPost(world, world.tobias, { id: "draft", status: "inactive" });
    await sendMessage(world.site, world.maren, { to: world.tobias.id, text: "Hello", sendId: "1" });
    all = (await list({ limit: 100 })).users;
  });
  afterAll(() => world.close());

  const list = (chosen: Partial<UserQuery>) => listUsers(world.site, world.ruth, { search: "", sort: "newest", limit, page: 1, ...chosen });
  const keys: Record<(typeof userSorts)[number], (user: AdminUser) => number | string> = {
    newest: (user) => -user.joinedAt,
    oldest: (user) => user.joinedAt,
    name: (user) => user.name.toLowerCase(),
  };

  test("shows and finds suspended, unconfirmed and staff members", async () => {
    const until = world.site.now() + 3 * day;
    await suspendMember(world.site, world.ruth, world.tobias.id, { days: 3, reason: "Spam" });
    await grantRole(world.site, null, world.maren.email, "moderator");
    const named = async (chosen: Partial<UserQuery>) =>
      (await list({ limit: 100, ...chosen })).users.map(({ name, role, suspendedUntil, confirmed }) => ({
        name,
        role,
        suspendedUntil,
        confirmed,
      }));
    const tobias = { name: world.tobias.name, role: null, suspendedUntil: until, confirmed: true };
    expect(await named({ state: "suspended" })).toEqual([tobias]);
    expect(await named({})).toContainEqual(tobias);
    expect(await named({ search: world.tobias.id })).toEqual([tobias]);
    expect(await named({ state: "suspended", search: "nobody" })).toEqual([]);
    const staff = await named({ state: "staff", sort: "name" });
    expect(staff).toContainEqual({ name: world.maren.name, role: "moderator", suspendedUntil: null, confirmed: true });
    expect(staff.every(({ role }) => role !== null)).toBe(true);
    expect((await named({ state: "unconfirmed" })).map(({ confirmed }) => confirmed)).not.toContain(true);
    expect((await named({ state: "unconfirmed" })).map(({ name }) => name)).toContain(world.salma.name);
    await world.site.db.deleteFrom("suspensions").execute();
  });

  test.each(userSorts)("by %s: pages are in order from any anchor", async (sort) => {
    const pages: AdminUser[][] = [];
    let anchor: UserQuery["anchor"];
    const count = Math.ceil(all.length / limit);
    for (let page = 1; page <= count; page++) {
      const { users, total } = await list({ sort, page, anchor });
      expect(total).toBe(21);
      pages.push(users);
      anchor = { id: users[0]?.id ?? "", page };
    }
    const listed = pages.flat();
    expect(listed.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    const order = listed.map((user) => keys[sort](user));
    expect(order).toEqual(order.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
    for (let from = 1; from <= count; from++)
      for (let page = 1; page <= count; page++) {
        const start = { id: pages[from - 1]?.[0]?.id ?? "", page: from };
        expect((await list({ sort, page, anchor: start })).users).toEqual(pages[page - 1]);
      }
  });

  test("shows each member's counts", () => {
    expect(all.find(({ id }) => id === world.maren.id)).toMatchObject({ posts: 1, likes: 6, messages: 1, confirmed: true });
    expect(all.find(({ id }) => id === world.salma.id)).toMatchObject({ posts: 0, likes: 0, messages: 0, confirmed: false });
  });

  test("finds parts of names and addresses, ignoring case, without wildcards", async () => {
    expect((await list({ search: "ODUYA", limit: 50 })).users.map(({ id }) => id)).toEqual([world.maren.id]);
    expect((await list({ search: "person-1", limit: 50 })).total).toBe(8);
    expect((await list({ search: "%" })).total).toBe(0);
    expect((await list({ search: "_" })).total).toBe(0);
  });

  test("a search for a common word finds members of each state, or says that there may be more", async () => {
    const other = await openWorld();
    const { site, ruth, tobias, salma } = other;
    await suspendMember(site, ruth, tobias.id, { days: 3, reason: "Spam" });
    const date = new Date(site.now()).toISOString();
    const newer = Array.from({ length: 1_000 }, (_, index) => ({
      id: `newer-${index}`,
      name: "Newer",
      email: `newer-${index}@example.com`,
    }));
    for (let from = 0; from < newer.length; from += 250)
      await site.db
        .insertInto("users")
        .values(
          newer.slice(from, from + 250).map((user) => ({ ...user, emailVerified: true, image: null, createdAt: date, updatedAt: date })),
        )
        .execute();
    const search = async (chosen: Partial<UserQuery>) => {
      const { users, isMore } = await listUsers(site, ruth, { search: "Example.com", sort: "newest", limit: 500, page: 1, ...chosen });
      return { ids: users.map(({ id }) => id), isMore };
    };
    const [domain = ""] = tobias.email.split("@").slice(1);
    for (const sort of userSorts)
      for (const each of [domain, tobias.email.toUpperCase(), tobias.name.slice(0, 2), tobias.id])
        expect(await search({ state: "suspended", sort, search: each }), each).toEqual({ ids: [tobias.id], isMore: false });
    expect(await search({ state: "suspended", search: "newer" })).toEqual({ ids: [], isMore: false });
    expect(await search({ state: "staff", search: domain })).toEqual({ ids: [ruth.id], isMore: false });
    expect(await search({ state: "unconfirmed", search: salma.email })).toEqual({ ids: [salma.id], isMore: false });
    expect(await search({ state: "unconfirmed" })).toEqual({ ids: [], isMore: true });
    // None of them has a profile.
    expect(await search({ sort: "name" })).toMatchObject({ isMore: true });
    await other.close();
  });

  test("has correct totals", async () => {
    expect(await countUsers(world.site, world.ruth)).toEqual({ users: 21, writers: 1, newThisWeek: 17, likes: 6 });
    expect(all.filter(({ posts }) => posts > 0)).toHaveLength(1);
  });

  test("counts as new who joined in the last seven times 24 hours", async () => {
    const other = await openWorld();
    const { site, ruth, clock } = other;
    clock.set(Math.ceil(site.now() / day) * day + 30 * day - 60_000);
    await addMember(other, "Ines");
    const newThisWeek = async () => (await countUsers(site, ruth)).newThisWeek;
    clock.advance(6 * day + 120_000);
    expect(await newThisWeek()).toBe(1);
    clock.advance(day - 120_000);
    expect(await newThisWeek()).toBe(1);
    clock.advance(1);
    expect(await newThisWeek()).toBe(0);
    await other.close();
  });

  test("is for administrators only", async () => {
    await expect(listUsers(world.site, world.maren, { search: "", sort: "name", limit, page: 1 })).rejects.toMatchObject({
      code: "not-allowed",
    });
    await expect(countUsers(world.site, null)).rejects.toMatchObject({ code: "sign-in-required" });
  });
});
