/** Dates on pages are in UTC, so that server and browser agree. */
function formatter(options: Intl.DateTimeFormatOptions, suffix = ""): (time: number) => string {
  const format = new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
  return (time) => `${format.format(time)}${suffix}`;
}

/** `Nov 18, 2026` */
export const shortDate = formatter({ month: "short", day: "numeric", year: "numeric" });
/** `November 18, 2026` */
export const longDate = formatter({ month: "long", day: "numeric", year: "numeric" });
/** `November 2026` */
export const monthAndYear = formatter({ month: "long", year: "numeric" });
/** `Nov 18, 2026, 9:05 AM UTC` */
export const dateAndTime = formatter({ dateStyle: "medium", timeStyle: "short" }, " UTC");
/** `10:24:08 AM UTC` */
export const timeWithSeconds = formatter({ timeStyle: "medium" }, " UTC");
