import { useRoot } from "#app/shell/root-data.ts";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import { securityEventTexts } from "#domain/accounts/security/security-event.ts";
import type { SecurityEntry } from "#domain/accounts/security/security-log.server.ts";

const initialEntries = 8;

export function SecurityLog({ entries }: { entries: SecurityEntry[] }) {
  const older = entries.slice(initialEntries);
  if (entries.length === 0) return <p className="text-base text-ink-2">No activity yet</p>;
  return (
    <>
      <EntryList entries={entries.slice(0, initialEntries)} />
      {older.length > 0 && (
        <details className="mt-4">
          <summary className="flex min-h-11 cursor-pointer items-center font-medium text-accent-ink">
            Show {older.length} older {older.length === 1 ? "entry" : "entries"}
          </summary>
          <div className="mt-2">
            <EntryList entries={older} />
          </div>
        </details>
      )}
    </>
  );
}

function EntryList({ entries }: { entries: SecurityEntry[] }) {
  const { now } = useRoot();
  return (
    <ul className="rounded-lg border border-line bg-raised">
      {entries.map(({ number, kind, device, network, at }) => (
        <li key={number} className="border-t border-line px-5 py-3.5 first:border-t-0">
          <p className="text-base font-medium">{securityEventTexts[kind] ?? kind}</p>
          <p className="num text-sm text-ink-2">
            {[device, network].filter(Boolean).map((part) => `${part} · `)}
            <TimeAgo time={at} now={now} />
          </p>
        </li>
      ))}
    </ul>
  );
}
