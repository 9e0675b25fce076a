import type { ReactNode } from "react";
import { AutoRefresh } from "#app/admin/shell/auto-refresh.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { RefreshButton } from "#app/admin/shell/refresh-button.tsx";
import { StatTiles, type Tile } from "#app/admin/shell/stat-tiles.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Activity, FilePen, Heart, MessageCircle, Newspaper, Pin, Star, Users } from "#app/ui/icons.tsx";
import { Segmented } from "#app/ui/segmented.tsx";
import { readDashboard } from "#domain/dashboard/dashboard.server.ts";
import { type Dashboard, dashboardRanges, percent, percentOf } from "#domain/dashboard/dashboard.ts";
import { timeWithSeconds } from "#domain/dates.ts";
import { fullCount, pluralize, shortCount } from "#domain/format.ts";
import type { Route } from "./+types/dashboard-page.ts";
import { ActivityOverview } from "./activity-overview.tsx";
import { RecentPosts, RecentUsers, TopPosts } from "./dashboard-lists.tsx";
import { QuickActions } from "./quick-actions.tsx";

export async function loader({ url, context }: Route.LoaderArgs) {
  const requested = Number(url.searchParams.get("days"));
  const range = dashboardRanges.find((days) => days === requested) ?? 7;
  return { range, dashboard: await readDashboard(context.get(siteContext), context.get(viewerContext), range) };
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Admin Dashboard" });

const ranges = dashboardRanges.map((days) => ({
  value: String(days),
  label: `${days}d`,
  to: days === 7 ? "/admin" : `/admin?days=${days}`,
}));

export default function DashboardPage({ loaderData: { range, dashboard } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Dashboard" line={<SystemLine uptime={dashboard.uptime} at={dashboard.at} />}>
        <Segmented label="Range" value={String(range)} segments={ranges} className="max-sm:flex-1 max-sm:[&>a]:flex-1" />
        <AutoRefresh />
        <RefreshButton toast="Dashboard refreshed" />
      </PageHead>
      <StatTiles className="mt-6" tiles={tilesOf(dashboard)} />
      <QuickActions drafts={dashboard.totals.drafts} />
      <div className="mt-6 grid gap-6 lg:grid-cols-12">
        <ActivityOverview range={dashboard.range} className="lg:col-span-7" />
        <TopPosts posts={dashboard.topPosts} className="lg:col-span-5" />
        <RecentPosts posts={dashboard.recentPosts} now={dashboard.at} className="lg:col-span-7" />
        <RecentUsers users={dashboard.recentUsers} now={dashboard.at} className="lg:col-span-5" />
      </div>
      <SystemStatus {...dashboard} />
    </>
  );
}

function SystemLine({ uptime, at }: { uptime: number; at: number }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <span className="inline-flex items-center gap-2">
        <span aria-hidden className="size-2 rounded-full bg-success" />
        System online
      </span>
      <span>Uptime {percent(uptime)}</span>
      <span className="text-ink-3">Last updated {timeWithSeconds(at)}</span>
    </span>
  );
}

function tilesOf({ totals, today, growth }: Dashboard): Tile[] {
  const posts = totals.published + totals.drafts + totals.held;
  return [
    {
      label: "Total Users",
      value: fullCount(totals.users),
      note: withGrowth(`+${fullCount(today.users)} today`, growth.users, "New members"),
      icon: Users,
    },
    {
      label: "Total Posts",
      value: fullCount(posts),
      note: withGrowth(`${fullCount(totals.published)} published`, growth.posts, "New posts, including drafts,"),
      icon: Newspaper,
    },
    { label: "Messages Today", value: fullCount(today.messages), note: `${fullCount(totals.messages)} in total`, icon: MessageCircle },
    {
      label: "Total Engagement",
      value: shortCount(totals.engagement),
      exact: pluralize(totals.engagement, "like or bookmark", "likes and bookmarks", fullCount),
      note: withGrowth(`${pluralize(today.likes, "like", "likes", fullCount)} today`, growth.engagement, "Likes and bookmarks"),
      icon: Heart,
    },
    { label: "Featured Posts", value: fullCount(totals.featured), icon: Star },
    { label: "Pinned Posts", value: fullCount(totals.pinned), icon: Pin },
    { label: "Draft Posts", value: fullCount(totals.drafts), icon: FilePen },
    { label: "Active Rate", value: percent(percentOf(totals.published, posts)), icon: Activity },
  ];
}

/** `of`: what grew. A decrease isn’t marked as bad: the day isn’t over yet. */
function withGrowth(text: string, growth: number, of: string): ReactNode {
  if (growth === 0) return text;
  const change = `${growth > 0 ? "+" : "−"}${percent(Math.abs(growth))}`;
  return (
    <>
      {text}
      <span className="block" title={`${of} today, compared with the whole of yesterday`}>
        <span className="sr-only">{of} </span>
        <span className={growth > 0 ? "text-success" : "text-ink-3"}>{change}</span> vs. yesterday
      </span>
    </>
  );
}

function SystemStatus({ uptime, today }: Pick<Dashboard, "uptime" | "today">) {
  const stats = [
    { label: "Uptime", value: percent(uptime) },
    { label: "Posts today", value: fullCount(today.posts) },
    { label: "New users today", value: fullCount(today.users) },
  ];
  return (
    <section
      aria-labelledby="status"
      className="mt-6 grid items-center gap-4 rounded-lg border border-line bg-raised p-5 lg:grid-cols-[1fr_auto] lg:px-6"
    >
      <h2 id="status" className="display text-t2">
        System Status
      </h2>
      <dl className="grid grid-cols-3 gap-x-4">
        {stats.map(({ label, value }) => (
          <div
            key={label}
            className="flex flex-col-reverse justify-end border-l border-line pl-4 first:max-lg:border-l-0 first:max-lg:pl-0 lg:min-w-44 lg:pl-6"
          >
            <dt className="text-sm text-ink-2">{label}</dt>
            <dd className="display num text-t1 lg:text-t2">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
