import type { ReactNode } from "react";
import { ShieldAlert, ShieldCheck } from "#app/ui/icons.tsx";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import type { Backup } from "#domain/backups/backup.ts";
import { dateAndTime } from "#domain/dates.ts";
import { pluralize, sizeText } from "#domain/format.ts";
import { hours } from "#platform/time.ts";

type LastBackupProps = { backups: Backup[]; every: number; now: number; children: ReactNode };

export function LastBackup({ backups, every, now, children }: LastBackupProps) {
  const last = backups.find(({ state, report }) => state === "good" && report);
  // Two missed runs, or a week without a schedule.
  const late = !last || now - last.startedAt > hours(every === 0 ? 7 * 24 : 2 * every);
  const worrying = late || (last?.report?.missing.count ?? 0) > 0;
  const IconComponent = worrying ? ShieldAlert : ShieldCheck;
  const rows = Object.values(last?.report?.tables ?? {}).reduce((sum, each) => sum + each, 0);
  return (
    <section aria-label="Last backup" className="mt-6 flex gap-4 rounded-lg border border-line bg-raised p-5 lg:px-6">
      <IconComponent aria-hidden className={`mt-1 size-6 shrink-0 ${worrying ? "text-warning" : "text-success"}`} />
      <div className="min-w-0">
        <p className="display text-t2">
          {last ? (
            <>
              Last restore-tested backup: <TimeAgo time={last.startedAt} now={now} />
            </>
          ) : (
            "No restore-tested backup yet"
          )}
        </p>
        {last?.report ? (
          <p className="num mt-1 text-base text-ink-2">
            {dateAndTime(last.startedAt)} · {sizeText(last.size ?? 0)} · test-restored to{" "}
            {last.report.testedOn === "sqlite" ? "SQLite" : "PostgreSQL"} and compared: {pluralize(rows, "row")} in{" "}
            {pluralize(Object.keys(last.report.tables).length, "table")} and {pluralize(last.report.files.count, "file")} match.
          </p>
        ) : (
          <p className="mt-1 text-base text-ink-2">A backup is listed here once a test restore has matched the original.</p>
        )}
        {late && last && <p className="mt-1 text-base text-warning">Backups are overdue.</p>}
        {last?.report && last.report.missing.count > 0 && (
          <p className="mt-1 text-base text-warning">
            {pluralize(last.report.missing.count, "file")} {last.report.missing.count === 1 ? "was" : "were"} already missing when this
            backup was made: <span className="font-mono text-sm [overflow-wrap:anywhere]">{last.report.missing.first.join(", ")}</span>
          </p>
        )}
        {children}
      </div>
    </section>
  );
}
