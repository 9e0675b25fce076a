import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { fillSite } from "../../../tests/support/fill-site.ts";
import { addPost } from "../../../tests/support/posts.ts";
import { openWorld, type World } from "../../../tests/support/world.ts";
import { readDashboard } from "../../dashboard/dashboard.server.ts";
import { deletePost } from "../../posts/posts.server.ts";
import { holdPost } from "../../posts/visibility.server.ts";
import { type AdminPostQuery, countForAdmin, listForAdmin } from "./admin-list.server.ts";
import { type AdminPost, adminSorts } from "./moderation.ts";

const limit = 5;
const everything: AdminPostQuery = { search: "", status: "all", featured: "all", sort: "newest", limit, page: 1 };

describe("the administrators' list of stories", () => {
  let world: World;
  let all: AdminPost[];
  beforeAll(async () => {
    world = await openWorld();
    for (let i = 0; i < 43; i++) {
      const status = i % 4 === 0 ? "inactive" : "active";
      const figures = {
        views: (i * 7) % 11,
        likesCount: (i * 5) % 6,
        featured: i % 9 === 0,
        createdAt: world.site.now() - ((i * 13) % 17) * 1000,
      };
      const title = `${["Night", "Bus", "âme", "Zoo"][i % 4]} ${i % 5}`;
      await addPost(world, i % 2 ? world.maren : world.tobias, { id: `story-${i}`, title, status, ...figures });
    }
    all = (await listForAdmin(world.site, world.ruth, { ...everything, limit: 100 })).posts;
  });
  afterAll(() => world.close());

  const list = (chosen: Partial<AdminPostQuery>) => listForAdmin(world.site, world.ruth, { ...everything, ...chosen });
  const keys: Record<(typeof adminSorts)[number], (post: AdminPost) => string | number> = {
    newest: (post: AdminPost) => -post.date,
    oldest: (post: AdminPost) => post.date,
    title: (post: AdminPost) => post.title.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase(),
    likes: (post: AdminPost) => -post.likesCount,
    views: (post: AdminPost) => -post.views,
  };

  const filters = (["all", "active", "inactive"] as const).flatMap((status) =>
    (["all", "true", "false"] as const).map((featured) => ({ status, featured })),
  );
  const cases = adminSorts.flatMap((sort) => filters.map((filter) => ({ sort, ...filter })));

  test("lists each story once", () => {
    expect(all.map(({ id }) => id).toSorted()).toEqual(Array.from({ length: 43 }, (_, i) => `story-${i}`).toSorted());
  });

  test.each(cases)("by $sort, status $status, featured $featured: every page in order, forwards and back", async (filter) => {
    const { sort, status, featured } = filter;
    const expected = all.filter(
      (post) => (status === "all" || post.status === status) && (featured === "all" || String(post.featured) === featured),
    );
    const pages: AdminPost[][] = [];
    let anchor: AdminPostQuery["anchor"];
    const count = Math.ceil(expected.length / limit);
    for (let page = 1; page <= count; page++) {
      const found = await list({ ...filter, page, anchor });
      expect(found).toMatchObject({ total: expected.length, page, isMore: false });
      pages.push(found.posts);
      anchor = { id: found.posts[0]?.id ?? "", page };
    }
    const listed = pages.flat();
    expect(listed.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
    const order = listed.map((post) => keys[sort](post));
    expect(order).toEqual(order.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
    // A page is the same from any anchor; on PostgreSQL from both ends.
    const starts = inject("engine") === "postgres" ? new Set([1, count]) : Array.from({ length: count }, (_, index) => index + 1);
    for (const from of starts)
      for (let page = 1; page <= count; page++) {
        const start = { id: pages[from - 1]?.[0]?.id ?? "", page: from };
        expect((await list({ ...filter, page, anchor: start })).posts.map(({ id }) => id)).toEqual(pages[page - 1]?.map(({ id }) => id));
      }
  });

  test("a missing story or a page too far shows the nearest page", async () => {
    const last = await list({ page: 9 });
    expect(await list({ page: 99 })).toEqual(last);
    expect(await list({ page: 9, anchor: { id: "gone", page: 8 } })).toEqual(last);
    expect(await list({ page: 1, anchor: { id: "story-7", page: 4 } })).toEqual(await list({ page: 1 }));
  });

  test("a search finds drafts too, sorted and filtered like the rest", async () => {
    const found = await list({ search: "zoo", limit: 50, sort: "likes" });
    const expected = all.filter(({ title }) => title.startsWith("Zoo"));
    expect(found.total).toBe(expected.length);
    expect(found.posts.map(({ likesCount }) => likesCount)).toEqual(expected.map(({ likesCount }) => likesCount).toSorted((a, b) => b - a));
    const drafts = await list({ search: "night", status: "inactive", limit: 50 });
    expect(drafts.posts.map(({ id }) => id).toSorted()).toEqual(
      all
        .filter(({ title, status }) => title.startsWith("Night") && status === "inactive")
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(await list({ search: "nothing like it" })).toEqual({ posts: [], total: 0, page: 1, isMore: false });
  });

  test("a search for a common word finds old stories of each filter, or says that there may be more", async () => {
    const other = await openWorld();
    const { site, ruth, maren } = other;
    for (const id of ["draft", "featured", "held", "gone"])
      await addPost(other, maren, {
        id,
        plainText: "everywhere",
        ...(id === "draft" ? { status: "inactive" } : { featured: id === "featured" }),
      });
    await holdPost(site, ruth, "held", { reason: "Whose is it?" });
    await deletePost(site, ruth, "gone", { reason: "Copied" });
    // 2,000 newer stories.
    await fillSite(other);
    await site.db.updateTable("posts").set({ featured: false }).where("id", "like", "story-%").execute();
    const search = async (chosen: Partial<AdminPostQuery>) => {
      const { posts, total, isMore } = await listForAdmin(site, ruth, { ...everything, search: "everywhere", ...chosen });
      return { ids: posts.map(({ id }) => id), total, isMore };
    };
    expect(await search({ status: "inactive" })).toEqual({ ids: ["draft"], total: 1, isMore: false });
    expect(await search({ status: "held" })).toEqual({ ids: ["held"], total: 1, isMore: false });
    expect(await search({ status: "deleted" })).toEqual({ ids: ["gone"], total: 1, isMore: false });
    expect(await search({ featured: "true" })).toEqual({ ids: ["featured"], total: 1, isMore: false });
    expect(await search({ status: "active", featured: "false" })).toMatchObject({ total: 250, isMore: true });
    const last = await site.db.selectFrom("posts").select("id").orderBy("number", "desc").executeTakeFirstOrThrow();
    await deletePost(site, ruth, last.id, { reason: "Copied" });
    expect(await search({})).toMatchObject({ total: 249, isMore: true });
    await site.db.updateTable("posts").set({ status: "inactive" }).where("id", "like", "story-%").execute();
    expect(await search({ status: "active" })).toEqual({ ids: [], total: 0, isMore: true });
    expect(await search({ status: "inactive", sort: "views" })).toMatchObject({ total: 250, isMore: true });
    await other.close();
  });

  test("the tiles show the counts", async () => {
    expect(await countForAdmin(world.site, world.ruth)).toEqual({
      published: all.filter(({ status }) => status === "active").length,
      drafts: all.filter(({ status }) => status === "inactive").length,
      // As readers see them.
      featured: all.filter(({ featured, status }) => featured && status === "active").length,
      pinned: 0,
      held: 0,
      deleted: 0,
    });
  });

  test("held and deleted stories are counted and filtered separately", async () => {
    const other = await openWorld();
    const { site, ruth, maren } = other;
    for (const id of ["plain", "held", "gone", "draft"])
      await addPost(other, maren, { id, featured: true, pinned: true, status: id === "draft" ? "inactive" : "active" });
    await holdPost(site, ruth, "held", { reason: "Whose is it?" });
    await deletePost(site, ruth, "gone", { reason: "Copied" });
    const ids = async (status: AdminPostQuery["status"], featured: AdminPostQuery["featured"] = "all") => {
      const { posts, total } = await listForAdmin(site, ruth, { ...everything, status, featured });
      expect(total).toBe(posts.length);
      return posts.map(({ id }) => id).toSorted();
    };
    expect(await ids("all")).toEqual(["draft", "held", "plain"]);
    expect(await ids("inactive")).toEqual(["draft"]);
    expect(await ids("held")).toEqual(["held"]);
    expect(await ids("deleted")).toEqual(["gone"]);
    expect(await ids("all", "true")).toEqual(["draft", "held", "plain"]);
    expect(await ids("all", "false")).toEqual([]);
    expect(await countForAdmin(site, ruth)).toEqual({ published: 1, drafts: 1, held: 1, deleted: 1, featured: 1, pinned: 1 });
    expect((await readDashboard(site, ruth, 7)).totals).toMatchObject({ published: 1, drafts: 1, held: 1, featured: 1, pinned: 1 });
    await other.close();
  });

  test("is for administrators only", async () => {
    await expect(listForAdmin(world.site, world.maren, everything)).rejects.toMatchObject({ code: "not-allowed" });
    await expect(countForAdmin(world.site, null)).rejects.toMatchObject({ code: "sign-in-required" });
  });
});
