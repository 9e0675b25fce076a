import type { ModerationActionKind } from "../moderation/moderation-action.ts";
import type { PostStatus } from "../posts/post.ts";

export const dashboardRanges = [7, 14, 30] as const;
export type DashboardRange = (typeof dashboardRanges)[number];

export type Dashboard = {
  totals: Record<"users" | "published" | "drafts" | "held" | "featured" | "pinned" | "engagement" | "messages", number>;
  today: { users: number; posts: number; likes: number; messages: number };
  growth: { users: number; posts: number; engagement: number };
  range: { posts: number; users: number; engagement: number; engagementRate: number; days: { day: number; engagement: number }[] };
  topPosts: TopPost[];
  recentPosts: RecentPost[];
  recentUsers: { id: string; name: string; location: string; profileImage: string | null; joinedAt: number }[];
  uptime: number;
  at: number;
};

export type RecentPost = {
  id: string;
  title: string;
  userName: string;
  featuredImage: string | null;
  status: PostStatus;
  /** The moderation action that hides it. */
  held: ModerationActionKind | null;
  date: number;
};

export type TopPost = { id: string; title: string; userName: string; featuredImage: string | null; likesCount: number; score: number };

/** Percent; 100 if yesterday was 0 and today isn't. */
export function growthOf(today: number, yesterday: number): number {
  if (yesterday > 0) return ((today - yesterday) / yesterday) * 100;
  return today > 0 ? 100 : 0;
}

export function percentOf(part: number, whole: number): number {
  return whole > 0 ? (part / whole) * 100 : 0;
}

export function percent(value: number): string {
  return `${value.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 })}%`;
}

export function performanceScore({ views, likes, bookmarks }: { views: number; likes: number; bookmarks: number }): number {
  return views + 5 * likes + 3 * bookmarks;
}
