import { longDate } from "#domain/dates.ts";
import { cardFallbacks, relativeTime } from "#domain/format.ts";

type TimeAgoProps = {
  /** Both in milliseconds; `now` is the server's, so that browser and server write the same. */
  time: number | null;
  now: number;
  className?: string | undefined;
};

export function TimeAgo({ time, now, className }: TimeAgoProps) {
  if (time === null || Number.isNaN(time)) return <span className={className}>{cardFallbacks.time}</span>;
  return (
    <time dateTime={new Date(time).toISOString()} title={longDate(time)} className={className}>
      {relativeTime(time, now)}
    </time>
  );
}
