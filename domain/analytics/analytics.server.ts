import { days } from "#platform/time.ts";
import { dayOf } from "../counters/counters.ts";
import { readDailyCounts } from "../dashboard/daily-counts.server.ts";
import { percentOf } from "../dashboard/dashboard.ts";
import { listTopPosts } from "../dashboard/top-posts.server.ts";
import { requirePermission } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";
import type { Analytics, AnalyticsDay, AnalyticsRange } from "./analytics.ts";

const top = 10;

export async function readAnalytics(site: Site, viewer: Viewer, range: AnalyticsRange): Promise<Analytics> {
  requirePermission(viewer, "see analytics");
  const today = dayOf(site.now());
  const from = today - range + 1;
  const [dailyCounts, topPosts] = await Promise.all([
    readDailyCounts(site, { from, to: today }),
    listTopPosts(site, { since: from, limit: top }),
  ]);
  const dailyAnalytics = dailyCounts.map(({ day, ...counts }) => ({ date: new Date(days(day)).toISOString().slice(0, 10), ...counts }));
  const sum = (name: Exclude<keyof AnalyticsDay, "date">) => dailyAnalytics.reduce((total, day) => total + day[name], 0);
  const [posts, users, engagement] = [sum("posts"), sum("users"), sum("engagement")];
  const counts = { likes: sum("likes"), bookmarks: sum("bookmarks"), messages: sum("messages") };
  const rate = percentOf(engagement, posts);
  return {
    summary: {
      totalPosts: posts,
      totalUsers: users,
      totalEngagement: engagement,
      engagementRate: rate,
      averagePostsPerDay: posts / range,
      averageUsersPerDay: users / range,
    },
    dailyAnalytics,
    topPosts: topPosts.map(({ score, ...post }) => ({ ...post, performanceScore: score })),
    engagementMetrics: {
      overallEngagement: rate,
      likesRate: percentOf(counts.likes, posts),
      bookmarksRate: percentOf(counts.bookmarks, posts),
      messagesRate: percentOf(counts.messages, posts),
    },
    counts,
    at: site.now(),
  };
}
