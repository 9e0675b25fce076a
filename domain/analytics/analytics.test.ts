import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { addPost } from "../../tests/support/posts.ts";
import { propertyRuns } from "../../tests/support/property-runs.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { readDashboard } from "../dashboard/dashboard.server.ts";
import { dashboardRanges } from "../dashboard/dashboard.ts";
import { sendMessage } from "../messages/messages.server.ts";
import { deletePost } from "../posts/posts.server.ts";
import { setPostStatus } from "../posts/update-post.server.ts";
import { countView } from "../posts/views.server.ts";
import { setBookmark, setLike } from "../reactions/reactions.server.ts";
import { isRefusal } from "../refusals.ts";
import type { Member } from "../site.ts";
import { readAnalytics } from "./analytics.server.ts";
import { analyticsCsv, analyticsExport, analyticsRanges } from "./analytics.ts";

const hour = 60 * 60_000;
const day = 24 * hour;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Counts everything row by row, by UTC day of creation. */
async function countSlowly(range: number) {
  const { db } = world.site;
  const rows = async (query: ReturnType<typeof sql<{ at: string | number | Date }>>) =>
    (await query.execute(db)).rows.map(({ at }) => new Date(at).toISOString().slice(0, 10));
  const made = {
    posts: await rows(sql`select case status when 'active' then "publishedAt" else "createdAt" end as at from posts`),
    users: await rows(sql`select "createdAt" as at from users`),
    likes: await rows(sql`select "createdAt" as at from likes`),
    bookmarks: await rows(sql`select "createdAt" as at from bookmarks`),
    messages: await rows(sql`select "createdAt" as at from messages`),
  };
  const days: Record<string, string | number>[] = [];
  for (let back = range - 1; back >= 0; back--) {
    const date = new Date(world.site.now() - back * day).toISOString().slice(0, 10);
    const on = (name: keyof typeof made) => made[name].filter((each) => each === date).length;
    const [likes, bookmarks] = [on("likes"), on("bookmarks")];
    days.push({ date, posts: on("posts"), users: on("users"), engagement: likes + bookmarks, likes, bookmarks, messages: on("messages") });
  }
  return { days, made };
}

async function rankSlowly(range: number, limit: number): Promise<[string, number][]> {
  const first = new Date(world.site.now() - (range - 1) * day).toISOString().slice(0, 10);
  const posts = await world.site.db.selectFrom("posts").selectAll().where("status", "=", "active").execute();
  return posts
    .filter(({ publishedAt }) => new Date(publishedAt ?? 0).toISOString().slice(0, 10) >= first)
    .map(({ id, number, views, likesCount, bookmarksCount }) => ({ id, number, score: views + 5 * likesCount + 3 * bookmarksCount }))
    .sort((a, b) => b.score - a.score || b.number - a.number)
    .slice(0, limit)
    .map(({ id, score }) => [id, score]);
}

const total = (days: Record<string, string | number>[], name: string) => days.reduce((sum, each) => sum + Number(each[name]), 0);
const rate = (part: number, whole: number) => (whole > 0 ? (part / whole) * 100 : 0);
const growth = (today = 0, before = 0) => (before > 0 ? ((today - before) / before) * 100 : today > 0 ? 100 : 0);

async function expectExact() {
  for (const range of analyticsRanges) {
    const analytics = await readAnalytics(world.site, world.ruth, range);
    const { days } = await countSlowly(range);
    const [posts, users, engagement] = [total(days, "posts"), total(days, "users"), total(days, "engagement")];
    expect(analytics.dailyAnalytics).toEqual(days);
    expect(analytics.summary).toEqual({
      totalPosts: posts,
      totalUsers: users,
      totalEngagement: engagement,
      engagementRate: rate(engagement, posts),
      averagePostsPerDay: posts / range,
      averageUsersPerDay: users / range,
    });
    expect(analytics.engagementMetrics).toEqual({
      overallEngagement: rate(engagement, posts),
      likesRate: rate(total(days, "likes"), posts),
      bookmarksRate: rate(total(days, "bookmarks"), posts),
      messagesRate: rate(total(days, "messages"), posts),
    });
    expect(analytics.topPosts.map(({ id, performanceScore }) => [id, performanceScore])).toEqual(await rankSlowly(range, 10));
  }
  for (const range of dashboardRanges) {
    const dashboard = await readDashboard(world.site, world.ruth, range);
    const { days, made } = await countSlowly(range);
    const [today, before] = [days.at(-1), days.at(-2)];
    const figure = (name: string) => ({ today: Number(today?.[name]), growth: growth(Number(today?.[name]), Number(before?.[name])) });
    expect(dashboard.today).toEqual({
      users: figure("users").today,
      posts: figure("posts").today,
      likes: figure("likes").today,
      messages: figure("messages").today,
    });
    expect(dashboard.growth).toEqual({
      users: figure("users").growth,
      posts: figure("posts").growth,
      engagement: figure("engagement").growth,
    });
    const { published, drafts, users, engagement, messages } = dashboard.totals;
    const hidden = await world.site.db.selectFrom("posts").select("id").where("heldBy", "is not", null).execute();
    expect({ posts: published + drafts + hidden.length, users, engagement, messages }).toEqual({
      posts: made.posts.length,
      users: made.users.length,
      engagement: made.likes.length + made.bookmarks.length,
      messages: made.messages.length,
    });
    const { posts, users: joined, engagement: given, engagementRate } = dashboard.range;
    expect({ posts, joined, given, engagementRate }).toEqual({
      posts: total(days, "posts"),
      joined: total(days, "users"),
      given: total(days, "engagement"),
      engagementRate: rate(total(days, "engagement"), total(days, "posts")),
    });
    expect(dashboard.topPosts.map(({ id, score }) => [id, score])).toEqual(await rankSlowly(range, 3));
  }
}

type Operation = { what: number; who: number; which: number; later: number };
/** Steps of up to nine hours end on either side of midnight in any time zone. */
const operation = fc.record({ what: fc.nat(8), who: fc.nat(2), which: fc.nat(14), later: fc.nat(9 * 60) });

let named = 0;
async function act({ what, who, which, later }: Operation) {
  world.clock.advance(later * 60_000);
  const { site, maren, tobias, ruth } = world;
  const person = [maren, tobias, ruth][who] as Member;
  const id = `story-${which}`;
  const visitor = { ip: `192.0.2.${named % 250}`, userAgent: null };
  const operations = [
    () => addPost(world, person, { id, status: later % 4 === 0 ? "inactive" : "active" }),
    () => addPost(world, person, { id, createdAt: site.now() - later * hour, views: which }),
    () => setLike(site, person, id, later % 5 > 0),
    () => setBookmark(site, person, id, later % 5 > 0),
    () => countView(site, null, visitor, id),
    () => setPostStatus(site, ruth, id, later % 2 === 0 ? "inactive" : "active"),
    () => deletePost(site, ruth, id),
    () => sendMessage(site, person, { to: (person === maren ? tobias : maren).id, text: "Hello", sendId: `${named++}` }),
    () => addMember(world, `New Member ${named++}`),
  ];
  await operations[what]?.();
}

/** Conflicting slugs and missing stories are expected. */
function ignoreRefusal(error: unknown) {
  if (!isRefusal(error) && !/unique/i.test(String(error))) throw error;
}

describe.each(["Pacific/Kiritimati", "America/St_Johns"])("with a server in the time zone of %s", (zone) => {
  let before: string | undefined;
  beforeAll(async () => {
    before = process.env.TZ;
    process.env.TZ = zone;
    if (inject("engine") === "postgres") await sql`set time zone ${sql.lit(zone)}`.execute(world.site.db).catch(() => {});
  });
  afterAll(() => {
    process.env.TZ = before ?? "UTC";
  });

  test("dashboard and analytics equal a full count, also across midnight", async () => {
    expect(new Date().getTimezoneOffset()).not.toBe(0);
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), async (operations) => {
        for (const each of operations) await act(each).catch(ignoreRefusal);
        await expectExact();
      }),
      { numRuns: propertyRuns(40) },
    );
  });
});

describe("analytics", () => {
  test("are zeros for an empty site", async () => {
    const { db } = world.site;
    for (const table of ["posts", "messages", "users"] as const) await db.deleteFrom(table).where("id", "<>", world.ruth.id).execute();
    world.clock.advance(100 * day);
    const { summary, engagementMetrics, topPosts, dailyAnalytics } = await readAnalytics(world.site, world.ruth, 90);
    expect([...Object.values(summary), ...Object.values(engagementMetrics)].every((figure) => figure === 0)).toBe(true);
    expect(topPosts).toEqual([]);
    expect(dailyAnalytics).toHaveLength(90);
  });

  test("are exported as JSON with the specification's fields, and as CSV", async () => {
    await addPost(world, world.ruth, { id: "one", views: 7, likesCount: 2, bookmarksCount: 1 });
    const analytics = await readAnalytics(world.site, world.ruth, 7);
    const saved = analyticsExport(7, analytics);
    expect(Object.keys(saved)).toEqual(["timeframe", "exportDate", "summary", "topPosts", "engagementMetrics", "dailyAnalytics"]);
    expect(saved.topPosts).toMatchObject([{ id: "one", performanceScore: 20, likesCount: 2, bookmarksCount: 1 }]);
    const lines = analyticsCsv(analytics).split("\r\n");
    expect(lines[0]).toBe("date,posts,users,engagement,likes,bookmarks,messages");
    expect(lines[7]).toBe(`${new Date(world.site.now()).toISOString().slice(0, 10)},1,0,0,0,0,0`);
    expect(lines).toHaveLength(9);
  });

  test("are for administrators only", async () => {
    await expect(readAnalytics(world.site, world.maren, 7)).rejects.toMatchObject({ code: "not-allowed" });
    await expect(readAnalytics(world.site, null, 7)).rejects.toMatchObject({ code: "sign-in-required" });
  });
});
