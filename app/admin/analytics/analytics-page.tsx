import { DashboardPanel } from "#app/admin/dashboard/dashboard-panel.tsx";
import { ExportButton } from "#app/admin/shell/export-button.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { RefreshButton } from "#app/admin/shell/refresh-button.tsx";
import { StatTiles } from "#app/admin/shell/stat-tiles.tsx";
import { ListFilters } from "#app/admin/table/list-filters.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Activity, Heart, Newspaper, UserPlus } from "#app/ui/icons.tsx";
import { readAnalytics } from "#domain/analytics/analytics.server.ts";
import { type Analytics, type AnalyticsDay, analyticsRanges, analyticsTexts } from "#domain/analytics/analytics.ts";
import { percent } from "#domain/dashboard/dashboard.ts";
import { fullCount, pluralize } from "#domain/format.ts";
import type { Route } from "./+types/analytics-page.ts";
import { BarChart, dayName } from "./bar-chart.tsx";
import { TopPostsTable } from "./top-posts-table.tsx";

export async function loader({ url, context }: Route.LoaderArgs) {
  const range = analyticsRanges.find((days) => days === Number(url.searchParams.get("days"))) ?? 7;
  return { range, analytics: await readAnalytics(context.get(siteContext), context.get(viewerContext), range) };
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Analytics" });

const ranges = analyticsRanges.map((days) => ({ value: String(days), label: `Last ${days} days` }));
const selects = [{ name: "days", label: "Range", options: ranges, className: "w-40" }];
const week = 7;

export default function AnalyticsPage({ loaderData: { range, analytics } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Analytics" line={`Last ${range} days, by day (UTC)`}>
        <ListFilters action="/admin/analytics" label="Range" chosen={{ days: String(range) }} selects={selects} />
        <ExportButton format="json" days={range}>
          Export
        </ExportButton>
        <ExportButton format="csv" days={range}>
          CSV
        </ExportButton>
        <RefreshButton toast={analyticsTexts.refreshed} />
      </PageHead>
      <StatTiles className="mt-6" tiles={tilesOf(analytics.summary)} />
      <div className="mt-6 grid gap-6 lg:grid-cols-12">
        <DailyActivity title="Daily activity" days={analytics.dailyAnalytics.slice(-week)} className="lg:col-span-8" />
        <Breakdown analytics={analytics} className="lg:col-span-4" />
        {range > week && <DailyActivity title={`The last ${range} days`} days={analytics.dailyAnalytics} className="lg:col-span-12" />}
      </div>
      <TopPostsTable posts={analytics.topPosts} />
    </>
  );
}

function perDay(average: number): string {
  return `${average.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 })} per day on average`;
}

function tilesOf({
  totalPosts,
  totalUsers,
  totalEngagement,
  engagementRate,
  averagePostsPerDay,
  averageUsersPerDay,
}: Analytics["summary"]) {
  return [
    { label: "Total Posts", value: fullCount(totalPosts), note: perDay(averagePostsPerDay), icon: Newspaper },
    { label: "New Users", value: fullCount(totalUsers), note: perDay(averageUsersPerDay), icon: UserPlus },
    { label: "Total Engagement", value: fullCount(totalEngagement), note: `${percent(engagementRate)} rate`, icon: Heart },
    { label: "Engagement Rate", value: percent(engagementRate), note: "Platform average, per 100 posts", icon: Activity },
  ];
}

function DailyActivity({ title, days, className }: { title: string; days: AnalyticsDay[]; className: string }) {
  const charts = [
    { label: "Posts", name: "posts", color: "bg-chart-3" },
    { label: "Users", name: "users", color: "bg-chart-1" },
    { label: "Engagement", name: "engagement", color: "bg-chart-2" },
  ] as const;
  const [first, last] = [days[0]?.date ?? "", days.at(-1)?.date ?? ""];
  return (
    <DashboardPanel title={title} aside={`${dayName(first)} to ${dayName(last)}`} className={className}>
      <div className="mt-1 grid gap-x-8 gap-y-8 sm:grid-cols-3">
        {charts.map(({ label, name, color }) => (
          <BarChart
            key={name}
            label={label}
            color={color}
            bars={days.map((day) => ({ date: day.date, value: day[name] }))}
            total={days.reduce((sum, day) => sum + day[name], 0)}
          />
        ))}
      </div>
    </DashboardPanel>
  );
}

function Breakdown({ analytics: { engagementMetrics, counts }, className }: { analytics: Analytics; className: string }) {
  const { likesRate, bookmarksRate, messagesRate } = engagementMetrics;
  const rates = [
    { label: "Likes rate", rate: likesRate, count: pluralize(counts.likes, "like"), color: "bg-chart-2" },
    { label: "Bookmarks rate", rate: bookmarksRate, count: pluralize(counts.bookmarks, "bookmark"), color: "bg-chart-1" },
    { label: "Messages rate", rate: messagesRate, count: pluralize(counts.messages, "message"), color: "bg-chart-4" },
  ];
  const most = Math.max(1, likesRate, bookmarksRate, messagesRate);
  return (
    <DashboardPanel title="Breakdown" className={className}>
      <p className="text-sm text-ink-2">Per 100 posts</p>
      <dl className="mt-4 flex flex-col gap-6">
        {rates.map(({ label, rate, count, color }) => (
          <div key={label}>
            <dt className="flex items-baseline justify-between gap-3 text-base">
              {label} <span className="display num text-t1">{percent(rate)}</span>
            </dt>
            <dd>
              <span aria-hidden className="mt-1.5 block h-2 rounded-full bg-sunken">
                <span className={`block h-2 rounded-full ${color}`} style={{ width: `${(rate / most) * 100}%` }} />
              </span>
              <span className="num mt-1.5 block text-sm text-ink-2">{count}</span>
            </dd>
          </div>
        ))}
      </dl>
    </DashboardPanel>
  );
}
