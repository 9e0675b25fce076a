/** Dates on pages are in UTC, so that server and browser agree. */
const short = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", year: "numeric", timeZone: "UTC" });
const long = new Intl.DateTimeFormat("en-US", { month: "long", day: "numeric", year: "numeric", timeZone: "UTC" });

/** `Nov 18, 2026` */
export function shortDate(time: number): string {
  return short.format(time);
}

/** `November 18, 2026` */
export function longDate(time: number): string {
  return long.format(time);
}

const month = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });

/** `November 2026` */
export function monthAndYear(time: number): string {
  return month.format(time);
}

const clock = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** `Nov 18, 2026, 9:05 AM UTC` */
export function dateAndTime(time: number): string {
  return `${clock.format(time)} UTC`;
}

const timeOfDay = new Intl.DateTimeFormat("en-US", { timeStyle: "medium", timeZone: "UTC" });

/** `10:24:08 AM UTC` */
export function clockTime(time: number): string {
  return `${timeOfDay.format(time)} UTC`;
}
