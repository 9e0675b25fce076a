import type { TopPost } from "../dashboard/dashboard.ts";

export const analyticsRanges = [7, 14, 30, 90] as const;
export type AnalyticsRange = (typeof analyticsRanges)[number];

type SummaryName = "totalPosts" | "totalUsers" | "totalEngagement" | "engagementRate" | "averagePostsPerDay" | "averageUsersPerDay";

/** The specification's fields, and what the charts need besides. */
export type Analytics = {
  summary: Record<SummaryName, number>;
  dailyAnalytics: AnalyticsDay[];
  topPosts: TopScoredPost[];
  engagementMetrics: Record<"overallEngagement" | "likesRate" | "bookmarksRate" | "messagesRate", number>;
  counts: Record<"likes" | "bookmarks" | "messages", number>;
  at: number;
};

const dayColumns = ["posts", "users", "engagement", "likes", "bookmarks", "messages"] as const;

export type AnalyticsDay = { date: string } & Record<(typeof dayColumns)[number], number>;

export type TopScoredPost = Omit<TopPost, "score"> & { views: number; bookmarksCount: number; performanceScore: number };

export const analyticsTexts = {
  exported: "Analytics data exported",
  refreshed: "Analytics refreshed",
  failed: "Failed to load analytics",
};

export function analyticsExport(days: AnalyticsRange, { counts: _counts, at, ...analytics }: Analytics) {
  const { summary, topPosts, engagementMetrics, dailyAnalytics } = analytics;
  return { timeframe: `${days} days`, exportDate: new Date(at).toISOString(), summary, topPosts, engagementMetrics, dailyAnalytics };
}

export function analyticsCsv({ dailyAnalytics }: Analytics): string {
  const columns = ["date", ...dayColumns] as const;
  return [columns, ...dailyAnalytics.map((day) => columns.map((column) => day[column]))].map((row) => `${row.join(",")}\r\n`).join("");
}
