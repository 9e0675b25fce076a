import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type Site, transaction } from "#domain/site.ts";
import { lockUntilCommit } from "#platform/database/locks.ts";
import { minutes } from "#platform/time.ts";
import { testEvent } from "../webhook.ts";

/** After this time the claiming process is considered dead. */
const claimTtlMs = minutes(1);

export type ClaimedDelivery = {
  number: number;
  webhookId: string;
  messageId: string;
  event: string;
  body: string;
  tries: number;
  forgetAfter: boolean;
  claim: string;
};

/** The first due delivery of each idle webhook: a slow one doesn't delay others. */
export async function claimDeliveries(site: Site): Promise<ClaimedDelivery[]> {
  if (!(await isAnythingDue(site))) return [];
  return transaction(site, async (tx) => {
    await lockUntilCommit(tx, "webhooks");
    const claim = randomUUID();
    const now = tx.now();
    const rows = await tx.db
      .updateTable("webhook_deliveries")
      .set({ claim, dueAt: now + claimTtlMs })
      .where("number", "in", (eb) =>
        eb
          .selectFrom("webhooks as w")
          .select(() => [firstDue(now).as("number")])
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom("webhook_deliveries as u")
                  .select("u.number")
                  .whereRef("u.webhookId", "=", "w.id")
                  .where("u.state", "=", "waiting")
                  .where("u.claim", "is not", null)
                  .where("u.dueAt", ">", now),
              ),
            ),
          ),
      )
      .returning(["number", "webhookId", "messageId", "event", "body", "tries", "forgetAfter"])
      .execute();
    return rows.map((row) => ({ ...row, tries: Number(row.tries), forgetAfter: Boolean(row.forgetAfter), claim }));
  });
}

function firstDue(now: number) {
  return sql<number>`(select min(d.number) from webhook_deliveries d where d."webhookId" = w.id and d.state = 'waiting'
    and d."dueAt" <= ${now} and (w."offAt" is null or d.event = ${testEvent}))`;
}

/** Read-only: writing would invalidate cached pages. */
async function isAnythingDue({ db, now }: Site): Promise<boolean> {
  const row = await db
    .selectFrom("webhook_deliveries as d")
    .innerJoin("webhooks as w", "w.id", "d.webhookId")
    .select("d.number")
    .where("d.state", "=", "waiting")
    .where("d.dueAt", "<=", now())
    .where((eb) => eb.or([eb("w.offAt", "is", null), eb("d.event", "=", testEvent)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
