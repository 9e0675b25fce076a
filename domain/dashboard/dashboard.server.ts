import { type RawBuilder, sql } from "kysely";
import { createdAt } from "#domain/search/cards.server.ts";
import { readCounters } from "../counters/counters.server.ts";
import { dayOf } from "../counters/counters.ts";
import { countPosts } from "../moderation/posts/post-totals.server.ts";
import { namedUsers } from "../named-users.server.ts";
import { may, requirePermission } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";
import { readDailyCounts } from "./daily-counts.server.ts";
import { type Dashboard, type DashboardRange, growthOf, percentOf, type RecentPost } from "./dashboard.ts";
import { listTopPosts } from "./top-posts.server.ts";
import { readUptime } from "./uptime.server.ts";

const recentListLength = 5;
const top = 3;

export async function readDashboard(site: Site, viewer: Viewer, range: DashboardRange): Promise<Dashboard> {
  requirePermission(viewer, "see the dashboard");
  const today = dayOf(site.now());
  const [counters, days, topPosts, recentPosts, recentUsers, uptime, { published, drafts, held, featured, pinned }] = await Promise.all([
    readCounters(site),
    readDailyCounts(site, { from: today - range + 1, to: today }),
    listTopPosts(site, { since: today - range + 1, limit: top }),
    listRecentPosts(site, may(viewer, "read a draft")),
    listRecentUsers(site),
    readUptime(site),
    countPosts(site),
  ]);
  const sum = (name: "users" | "posts" | "engagement") => days.reduce((total, day) => total + day[name], 0);
  const [now, before] = [days.at(-1) ?? nothing, days.at(-2) ?? nothing];
  return {
    totals: {
      users: counters.members,
      published,
      drafts,
      held,
      featured,
      pinned,
      engagement: counters.likes + counters.bookmarks,
      messages: counters.messages,
    },
    today: { users: now.users, posts: now.posts, likes: now.likes, messages: now.messages },
    growth: {
      users: growthOf(now.users, before.users),
      posts: growthOf(now.posts, before.posts),
      engagement: growthOf(now.engagement, before.engagement),
    },
    range: {
      posts: sum("posts"),
      users: sum("users"),
      engagement: sum("engagement"),
      engagementRate: percentOf(sum("engagement"), sum("posts")),
      days: days.map(({ day, engagement }) => ({ day, engagement })),
    },
    topPosts,
    recentPosts,
    recentUsers,
    uptime,
    at: site.now(),
  };
}

const nothing = { users: 0, posts: 0, likes: 0, engagement: 0, messages: 0 };

/** Each status has its own index, so both are read and merged. */
async function listRecentPosts(site: Site, withDrafts: boolean): Promise<RecentPost[]> {
  const of = (status: RecentPost["status"], date: RawBuilder<number>) =>
    site.db
      .selectFrom("posts")
      .leftJoin("profiles", "profiles.userId", "posts.userId")
      .leftJoin("moderation_actions", "moderation_actions.id", "posts.heldBy")
      .select(["posts.id", "posts.title", "posts.featuredImage", "posts.status", "moderation_actions.kind as held", date.as("date")])
      .select((eb) => eb.fn.coalesce("profiles.userName", "posts.userName").as("userName"))
      .where("posts.status", "=", status)
      .orderBy(date, "desc")
      .orderBy("posts.number", "desc")
      .limit(recentListLength)
      .execute();
  const [published, drafts] = await Promise.all([of("active", sql.ref("posts.publishedAt")), withDrafts ? of("inactive", createdAt) : []]);
  return [...published, ...drafts].sort((a, b) => b.date - a.date).slice(0, recentListLength);
}

async function listRecentUsers(site: Site): Promise<Dashboard["recentUsers"]> {
  const rows = await namedUsers(site)
    .select(["p.location", "p.profileImage", "u.createdAt"])
    .orderBy("u.createdAt", "desc")
    .orderBy("u.id", "desc")
    .limit(recentListLength)
    .execute();
  return rows.map(({ createdAt, location, ...user }) => ({ ...user, location: location ?? "", joinedAt: new Date(createdAt).getTime() }));
}
