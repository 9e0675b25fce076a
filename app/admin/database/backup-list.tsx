import { Badge, type BadgeTone } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Download } from "#app/ui/icons.tsx";
import { Spinner } from "#app/ui/spinner.tsx";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import { type Backup, backupTexts, type RunState, startedByText } from "#domain/backups/backup.ts";
import { dateAndTime } from "#domain/dates.ts";
import { fullCount, sizeText } from "#domain/format.ts";

const states: Record<RunState, { tone: BadgeTone; dot: "solid" | "hollow"; label: string }> = {
  running: { tone: "info", dot: "hollow", label: "In progress" },
  good: { tone: "success", dot: "solid", label: "Good" },
  failed: { tone: "danger", dot: "hollow", label: "Failed" },
  interrupted: { tone: "warning", dot: "hollow", label: "Interrupted" },
};

const notRestoreTested = { tone: "neutral", dot: "hollow", label: "Not restore-tested" } as const;

export function BackupList({ backups, now }: { backups: Backup[]; now: number }) {
  if (backups.length === 0)
    return <p className="py-4 text-base text-ink-2">No backups yet. The first one runs an hour after the site first starts.</p>;
  return (
    <ul>
      {backups.map((backup) => (
        <BackupItem key={backup.id} backup={backup} now={now} />
      ))}
    </ul>
  );
}

function BackupItem({ backup, now }: { backup: Backup; now: number }) {
  const { state, startedAt, size, here, host, error } = backup;
  const { tone, dot, label } = state === "good" && !backup.report ? notRestoreTested : states[state];
  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-2 border-b border-line py-3 last:border-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="num font-medium">
          {dateAndTime(startedAt)}{" "}
          <span className="text-sm font-normal text-ink-2">
            <TimeAgo time={startedAt} now={now} />
          </span>
        </p>
        <p className="num text-sm text-ink-2">
          {startedByText(backup)}
          {size !== null && ` · ${sizeText(size)}`}
          {state === "good" && !here && ` · ${backupTexts.elsewhere(host)}`}
          {backup.sentAt !== null && " · Sent off-site"}
        </p>
        {state === "running" && <Progress {...backup} />}
        {error && <p className="mt-1 text-sm text-danger [overflow-wrap:anywhere]">{error}</p>}
      </div>
      <Badge tone={tone} dot={dot}>
        {label}
      </Badge>
      {state === "good" && here && (
        <ButtonLink to={`/admin/database/backups/${backup.id}`} reloadDocument download size="sm" icon={Download}>
          Download<span className="sr-only"> the backup from {dateAndTime(startedAt)}</span>
        </ButtonLink>
      )}
    </li>
  );
}

export function Progress({ phase, done }: { phase: string; done: number }) {
  return (
    <p role="status" className="num mt-1 flex items-center gap-2 text-sm text-ink-2">
      <Spinner />
      {phase}
      {done > 0 && `, ${fullCount(done)}`}
    </p>
  );
}
