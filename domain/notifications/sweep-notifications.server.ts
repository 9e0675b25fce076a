import { deleteInBatches } from "#platform/database/batches.ts";
import { days } from "#platform/time.ts";
import type { Site } from "../site.ts";

const readRetentionMs = days(90);
const rowsPerBatch = 1_000;

export async function sweepNotifications({ db, now }: Site): Promise<void> {
  const old = db
    .selectFrom("notifications")
    .select("number")
    .where("readAt", "is not", null)
    .where("readAt", "<=", now() - readRetentionMs)
    .orderBy("readAt")
    .limit(rowsPerBatch);
  await deleteInBatches(rowsPerBatch, db.deleteFrom("notifications").where("number", "in", old));
}
