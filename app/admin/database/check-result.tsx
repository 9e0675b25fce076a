import { CircleCheck, TriangleAlert } from "#app/ui/icons.tsx";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import { type Check, startedByText } from "#domain/backups/backup.ts";
import { pluralize } from "#domain/format.ts";
import { Progress } from "./backup-list.tsx";

export function CheckResult({ check, now }: { check: Check | null; now: number }) {
  if (!check) return <p className="text-base text-ink-2">Not checked yet. A check reads every row while the site keeps running.</p>;
  if (check.state === "running") return <Progress {...check} />;
  if (!check.report)
    return (
      <p className="text-base text-danger [overflow-wrap:anywhere]">The check didn’t finish{check.error ? `: ${check.error}` : "."}</p>
    );
  const { tables, problems } = check.report;
  const rows = Object.values(tables).reduce((sum, each) => sum + each, 0);
  const IconComponent = problems.length > 0 ? TriangleAlert : CircleCheck;
  return (
    <>
      <p className="flex items-start gap-2 text-base">
        <IconComponent aria-hidden className={`mt-0.5 size-5 shrink-0 ${problems.length > 0 ? "text-danger" : "text-success"}`} />
        <span className="num">
          {problems.length > 0 ? pluralize(problems.length, "problem") : "No problems found"} in {pluralize(rows, "row")}.{" "}
          <span className="text-ink-2">
            <TimeAgo time={check.startedAt} now={now} /> · {startedByText(check)}
          </span>
        </span>
      </p>
      {problems.length > 0 && (
        <ul className="mt-3 list-disc pl-6 text-sm text-danger">
          {problems.map((problem) => (
            <li key={problem} className="[overflow-wrap:anywhere]">
              {problem}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
