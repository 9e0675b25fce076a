import { BarChart } from "#app/admin/analytics/bar-chart.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { type Dashboard, percent } from "#domain/dashboard/dashboard.ts";
import { fullCount } from "#domain/format.ts";
import { days } from "#platform/time.ts";
import { DashboardPanel } from "./dashboard-panel.tsx";

type OverviewProps = { range: Dashboard["range"]; className: string };

export function ActivityOverview({ range, className }: OverviewProps) {
  const stats = [
    { label: "Posts created", value: fullCount(range.posts) },
    { label: "New users", value: fullCount(range.users) },
    { label: "Total engagement", value: fullCount(range.engagement) },
    { label: "Engagement rate", value: percent(range.engagementRate) },
  ];
  const bars = range.days.map(({ day, engagement }) => ({ date: new Date(days(day)).toISOString().slice(0, 10), value: engagement }));
  return (
    <DashboardPanel title="Activity Overview" className={className}>
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[220px_minmax(0,1fr)]">
        <dl className="grid grid-cols-2 gap-x-6 lg:grid-cols-1 lg:content-start">
          {stats.map(({ label, value }, index) => (
            <div
              key={label}
              className={classNames(
                "items-baseline justify-between gap-3 py-2.5 lg:flex",
                index > 0 && "lg:border-t lg:border-line",
                index > 1 && "max-lg:border-t max-lg:border-line",
              )}
            >
              <dt className="text-sm text-ink-2">{label}</dt>
              <dd className="display num text-t2 lg:text-t1">{value}</dd>
            </div>
          ))}
        </dl>
        <BarChart label="Engagement" color="bg-chart-1" total={range.engagement} bars={bars} />
      </div>
    </DashboardPanel>
  );
}
