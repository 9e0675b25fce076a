import { days } from "#platform/time.ts";
import type { Site } from "../site.ts";

const readKeptMs = days(90);
const rowsPerBatch = 1_000;

/** Unread ones stay: they are limited to one per kind and story. */
export async function sweepNotifications({ db, now }: Site): Promise<void> {
  for (;;) {
    const old = await db
      .selectFrom("notifications")
      .select("number")
      .where("readAt", "is not", null)
      .where("readAt", "<=", now() - readKeptMs)
      .orderBy("readAt")
      .limit(rowsPerBatch)
      .execute();
    const numbers = old.map(({ number }) => number);
    if (numbers.length > 0) await db.deleteFrom("notifications").where("number", "in", numbers).execute();
    if (old.length < rowsPerBatch) return;
  }
}
