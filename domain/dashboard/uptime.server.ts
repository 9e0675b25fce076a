import { days, hours, minutes } from "#platform/time.ts";
import type { Site } from "../site.ts";

const hourMinutes = hours(1) / minutes(1);
const weekMinutes = days(7) / minutes(1);
/** Shown until there is an hour of data (messaging and administration §9). */
const defaultUptimePercent = 99.9;

export async function recordHeartbeat(site: Site): Promise<void> {
  const now = Math.floor(site.now() / minutes(1));
  await site.db
    .insertInto("uptime")
    .values({ minute: now })
    .onConflict((conflict) => conflict.column("minute").doNothing())
    .execute();
  await site.db
    .deleteFrom("uptime")
    .where("minute", "<", now - weekMinutes)
    .execute();
}

/** Percent of the last seven days' minutes, with one decimal. */
export async function readUptime(site: Site): Promise<number> {
  const now = Math.floor(site.now() / minutes(1));
  const row = await site.db
    .selectFrom("uptime")
    .select((eb) => [eb.fn.min<number | null>("minute").as("first"), eb.fn.countAll<number>().as("up")])
    .where("minute", ">=", now - weekMinutes)
    .where("minute", "<", now)
    .executeTakeFirstOrThrow();
  const passed = now - (row.first ?? now);
  if (passed < hourMinutes) return defaultUptimePercent;
  return Math.floor((row.up / passed) * 1000) / 10;
}
