import { TimeAgo } from "#app/ui/time-ago.tsx";
import type { Backup } from "#domain/backups/backup.ts";

type OffsiteProps = { backups: Backup[]; url: string | null; now: number };

/** `url`: of the S3 folder, null while backups stay on this machine. */
export function Offsite({ backups, url, now }: OffsiteProps) {
  if (!url)
    return (
      <p className="mt-1 text-base text-ink-2">
        Backups stay on this machine. To also keep encrypted copies in S3, set <code>BACKUP_RECIPIENT</code>.
      </p>
    );
  const good = backups.filter(({ state }) => state === "good");
  const sentBackups = good.filter(({ sentAt }) => sentAt !== null).sort((a, b) => (b.sentAt ?? 0) - (a.sentAt ?? 0))[0];
  const [newest] = good;
  return (
    <>
      <p className="mt-1 text-base text-ink-2 [overflow-wrap:anywhere]">
        {sentBackups ? (
          <>
            Last sent off-site, encrypted: <TimeAgo time={sentBackups.sentAt ?? 0} now={now} />, to {url}.
          </>
        ) : (
          `No backup has been sent to ${url} yet.`
        )}
      </p>
      {newest?.sendError && (
        <p className="mt-1 text-base text-danger [overflow-wrap:anywhere]">
          We couldn’t send the newest backup off-site. We’ll try again every 15 minutes: {newest.sendError}
        </p>
      )}
    </>
  );
}
