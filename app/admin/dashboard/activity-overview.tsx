import { classNames } from "#app/ui/class-names.ts";
import { type Dashboard, percent } from "#domain/dashboard/dashboard.ts";
import { fullCount } from "#domain/format.ts";
import { days } from "#platform/time.ts";
import { DashboardPanel } from "./dashboard-panel.tsx";

const dayMs = days(1);
const maxBarHeight = 140;

type OverviewProps = { range: Dashboard["range"]; days: number; className: string };

export function ActivityOverview({ range, days, className }: OverviewProps) {
  const figures = [
    { label: "Posts created", value: fullCount(range.posts) },
    { label: "New users", value: fullCount(range.users) },
    { label: "Total engagement", value: fullCount(range.engagement) },
    { label: "Engagement rate", value: percent(range.engagementRate) },
  ];
  return (
    <DashboardPanel title="Activity Overview" className={className}>
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[220px_minmax(0,1fr)]">
        <dl className="grid grid-cols-2 gap-x-6 lg:grid-cols-1 lg:content-start">
          {figures.map(({ label, value }, index) => (
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
        <EngagementBars days={range.days} title={`Engagement, last ${days} days`} />
      </div>
    </DashboardPanel>
  );
}

type BarsProps = { days: Dashboard["range"]["days"]; title: string };

function EngagementBars({ days, title }: BarsProps) {
  const most = Math.max(1, ...days.map(({ engagement }) => engagement));
  const few = days.length <= 7;
  const dateOf = (day: number) => new Date(day * dayMs);
  return (
    <figure>
      <figcaption className="mb-2 text-sm text-ink-2">{title}</figcaption>
      <div aria-hidden className={classNames("flex items-end", few ? "gap-3 lg:gap-4" : "gap-0.5 sm:gap-1")} style={{ height: 184 }}>
        {days.map(({ day, engagement }, index) => (
          <div key={day} className="flex h-full min-w-0 flex-1 flex-col items-center justify-end" title={`${dateName(day)}: ${engagement}`}>
            {few && <span className="num mb-1.5 text-xs font-medium text-ink-2">{engagement}</span>}
            <div
              className={classNames("w-full max-w-10 rounded-t-sm", index === days.length - 1 ? "bg-chart-2" : "bg-chart-1")}
              style={{ height: Math.max(2, Math.round((engagement / most) * maxBarHeight)) }}
            />
            <span className={classNames("num mt-2 text-xs text-ink-2", !few && index % 5 !== days.length % 5 && "invisible")}>
              {dateOf(day).getUTCDate()}
            </span>
          </div>
        ))}
      </div>
      <table className="sr-only">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Engagement</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, engagement }) => (
            <tr key={day}>
              <th scope="row">{dateName(day)}</th>
              <td>{engagement}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );

  function dateName(day: number): string {
    return dateOf(day).toISOString().slice(0, 10);
  }
}
