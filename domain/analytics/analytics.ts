import type { TopPost } from "../dashboard/dashboard.ts";

/** Administrators' analytics (messaging and administration §2, §3, §9); browser-safe. Days are in UTC. */
export const analyticsRanges = [7, 14, 30, 90] as const;
export type AnalyticsRange = (typeof analyticsRanges)[number];

/** The specification's fields, and what the charts need besides. */
export type Analytics = {
  summary: {
    totalPosts: number;
    totalUsers: number;
    totalEngagement: number;
    engagementRate: number;
    averagePostsPerDay: number;
    averageUsersPerDay: number;
  };
  /** Oldest first, without gaps. */
  dailyAnalytics: AnalyticsDay[];
  topPosts: MostReadPost[];
  engagementMetrics: { overallEngagement: number; likesRate: number; bookmarksRate: number; messagesRate: number };
  counts: { likes: number; bookmarks: number; messages: number };
  at: number;
};

/** `date`: 2026-11-20 */
export type AnalyticsDay = {
  date: string;
  posts: number;
  users: number;
  engagement: number;
  likes: number;
  bookmarks: number;
  messages: number;
};

export type MostReadPost = Omit<TopPost, "score"> & { views: number; bookmarksCount: number; performanceScore: number };

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
  const columns = ["date", "posts", "users", "engagement", "likes", "bookmarks", "messages"] as const;
  return [columns.join(","), ...dailyAnalytics.map((day) => columns.map((column) => day[column]).join(","))]
    .map((line) => `${line}\r\n`)
    .join("");
}
