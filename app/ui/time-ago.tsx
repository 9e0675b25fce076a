import { longDate } from "#domain/dates.ts";
import { cardFallbacks, relativeTime } from "#domain/format.ts";

type TimeAgoProps = {
  /** Milliseconds. `now` is from the server, so that server and browser render the same text. */
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
