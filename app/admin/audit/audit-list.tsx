import { UndoButton } from "#app/admin/moderation/undo-button.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { classNames } from "#app/ui/class-names.ts";
import { Link } from "#app/ui/link.tsx";
import { type AuditEntry, actionLabel } from "#domain/audit/audit.ts";
import { dateAndTime } from "#domain/dates.ts";
import { excerpt, fullCount } from "#domain/format.ts";
import { settingLabel } from "#domain/settings/setting-labels.ts";

export function AuditList({ entries, className }: { entries: AuditEntry[]; className?: string | undefined }) {
  const { now } = useRoot();
  return (
    <ol className={classNames("divide-y divide-line rounded-lg border border-line bg-raised", className)}>
      {entries.map((entry) => (
        <li key={entry.number} className="grid gap-x-8 gap-y-2 px-4 py-3.5 lg:grid-cols-[18rem_minmax(0,1fr)] lg:px-5">
          <div className="min-w-0">
            <p className="font-medium [overflow-wrap:anywhere]">{actionLabel(entry.action)}</p>
            <p className="text-sm text-ink-2">
              {entry.userName} · <time dateTime={new Date(entry.createdAt).toISOString()}>{dateAndTime(entry.createdAt)}</time>
            </p>
          </div>
          <div className="min-w-0">
            <Subject subject={entry.subject} />
            <Differences {...entry} />
            {entry.moderationAction && (
              <div className="mt-2.5">
                <UndoButton moderationAction={entry.moderationAction} about={`${actionLabel(entry.action)}, ${entry.subject}`} now={now} />
              </div>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

const pages: Record<string, string> = { post: "/post/", user: "/profile/", page: "/" };

/** Characters. The export has the full values. */
const valueMaxLength = 300;

function Subject({ subject }: { subject: string }) {
  const colon = subject.indexOf(":");
  if (colon < 0) return null;
  const [kind, id] = [subject.slice(0, colon), subject.slice(colon + 1)];
  const page = pages[kind];
  return (
    <p className="font-mono text-sm text-ink-2 [overflow-wrap:anywhere]">
      {page ? (
        <Link to={page + id} className="underline decoration-line-strong underline-offset-4 hover:text-ink">
          {subject}
        </Link>
      ) : (
        subject
      )}
    </p>
  );
}

function Differences({ subject, before, after }: Pick<AuditEntry, "subject" | "before" | "after">) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (names.length === 0) return null;
  return (
    <dl className="mt-1 text-sm">
      {names.map((name) => (
        <div key={name} className="flex flex-wrap gap-x-2 [overflow-wrap:anywhere]">
          <dt className="text-ink-3">{subject === "settings" ? settingLabel(name) : name}</dt>
          <dd>
            {before && name in before && <span className="text-ink-2">{formatValue(before[name])}</span>}
            {before && after && name in before && name in after && <span className="text-ink-3"> → </span>}
            {after && name in after && <span className="font-medium text-ink">{formatValue(after[name])}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function formatValue(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.join(", ");
  if (value === null || value === "") return "empty";
  if (typeof value === "number") return fullCount(value);
  return excerpt(typeof value === "object" ? JSON.stringify(value) : String(value), valueMaxLength);
}
