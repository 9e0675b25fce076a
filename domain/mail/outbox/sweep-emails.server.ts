import type { Site } from "#domain/site.ts";
import { days } from "#platform/time.ts";

const sentRetentionMs = days(7);
const failedRetentionMs = days(30);

export async function sweepEmails({ db, now }: Site): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ message: null })
    .where("state", "in", ["failed", "unknown"])
    .where("message", "is not", null)
    .where("expiresAt", "<=", now())
    .execute();
  await db
    .deleteFrom("outbox")
    .where("state", "=", "sent")
    .where("finishedAt", "<=", now() - sentRetentionMs)
    .execute();
  await db
    .deleteFrom("outbox")
    .where("state", "in", ["failed", "unknown"])
    .where("finishedAt", "<=", now() - failedRetentionMs)
    .execute();
}
