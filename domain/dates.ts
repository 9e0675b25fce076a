/** Dates as pages show them, in UTC so that server and browser agree. */
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
