import { days, minutes } from "#platform/time.ts";

/** Minutes after midnight; `from` after `to` spans midnight. */
export type QuietHours = { from: number; to: number };

const dayMinutes = 24 * 60;
const digestMinute = 8 * 60;
const monday = "Mon";

type LocalTime = { minute: number; weekday: string };

function localTime(time: number, timeZone: string): LocalTime {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const shown = Object.fromEntries(parts.formatToParts(time).map(({ type, value }) => [type, value]));
  return { minute: Number(shown.hour) * 60 + Number(shown.minute), weekday: String(shown.weekday) };
}

/** On a day that skips this minute (daylight saving), an hour earlier or later. */
function nextAt(time: number, minute: number, timeZone: string): number {
  const ahead = (minute - localTime(time, timeZone).minute + dayMinutes) % dayMinutes || dayMinutes;
  const candidate = Math.floor(time / minutes(1)) * minutes(1) + minutes(ahead);
  // Corrects for a clock change in between.
  const off = ((minute - localTime(candidate, timeZone).minute + dayMinutes * 1.5) % dayMinutes) - dayMinutes / 2;
  return candidate + minutes(off) > time ? candidate + minutes(off) : candidate;
}

export function quietHoursEndAt(time: number, quiet: QuietHours | null, timeZone: string): number | undefined {
  if (!quiet || quiet.from === quiet.to) return undefined;
  const { minute } = localTime(time, timeZone);
  const isIn = quiet.from < quiet.to ? minute >= quiet.from && minute < quiet.to : minute >= quiet.from || minute < quiet.to;
  return isIn ? nextAt(time, quiet.to, timeZone) : undefined;
}

/** The next digest is at 8:00 local time, weekly ones on Mondays. */
export function nextDigest(time: number, frequency: "daily" | "weekly", timeZone: string): number {
  let next = nextAt(time, digestMinute, timeZone);
  while (frequency === "weekly" && localTime(next, timeZone).weekday !== monday) next = nextAt(next + days(1) / 2, digestMinute, timeZone);
  return next;
}

export function isTimeZone(timeZone: string): boolean {
  try {
    return timeZone !== "" && new Intl.DateTimeFormat("en-US", { timeZone }) !== undefined;
  } catch {
    return false;
  }
}

export function readClock(text: string): number | undefined {
  const [, hour = "", minute = ""] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hour === "" ? undefined : Number(hour) * 60 + Number(minute);
}

export function writeClock(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
}
