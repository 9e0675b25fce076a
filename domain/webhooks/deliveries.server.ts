import { enforceRateLimit } from "#domain/limits/rate-limits.server.ts";
import { days } from "#platform/time.ts";
import { recordAudit } from "../audit/audit.server.ts";
import { requirePermission } from "../permissions.ts";
import { Conflict } from "../refusals.ts";
import { type Site, transaction, type Viewer } from "../site.ts";
import { queueDeliveries } from "./sending/webhooks.server.ts";
import { type Delivery, deliveryColumns, testEvent, webhookLimits, webhookTexts } from "./webhook.ts";
import { findWebhook } from "./webhooks.server.ts";

const sendsPerAdministrator = { max: 60, minutes: 10 };

export async function listDeliveries(
  site: Site,
  viewer: Viewer,
  webhookId: string,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<{ deliveries: Delivery[]; next: number | null }> {
  requirePermission(viewer, "see webhooks");
  let query = site.db
    .selectFrom("webhook_deliveries")
    .select(deliveryColumns)
    .where("webhookId", "=", webhookId)
    .orderBy("number", "desc")
    .limit(limit + 1);
  if (before !== undefined) query = query.where("number", "<", before);
  const rows = await query.execute();
  const deliveries = rows.slice(0, limit);
  return { deliveries, next: rows.length > limit ? (deliveries.at(-1)?.number ?? null) : null };
}

/** Also for a webhook that is off; tried once. @throws NotFound, TooMany. */
export async function sendTestEvent(site: Site, viewer: Viewer, id: string): Promise<void> {
  requirePermission(viewer, "change webhooks");
  await findWebhook(site, viewer, id);
  await enforceRateLimit(site, { kind: "webhook-send", subject: viewer.id }, sendsPerAdministrator);
  await transaction(site, async (tx) => {
    await queueDeliveries(tx, [id], { event: testEvent, data: { message: `Hello from ${tx.settings.siteName}` }, userId: null });
    await recordAudit(tx, viewer, { action: "webhook.tested", subject: `webhook:${id}` });
    tx.afterCommit((site) => site.webhooks.wake(site));
  });
}

/** Keeps the event's id. @throws Conflict if it waits already or is gone, TooMany. */
export async function sendEventAgain(site: Site, viewer: Viewer, id: string, number: number): Promise<void> {
  requirePermission(viewer, "change webhooks");
  await enforceRateLimit(site, { kind: "webhook-send", subject: viewer.id }, sendsPerAdministrator);
  await transaction(site, async (tx) => {
    const again = await tx.db
      .updateTable("webhook_deliveries")
      .set({ state: "waiting", claim: null, tries: 0, dueAt: tx.now(), finishedAt: null, status: null, answer: null, problem: null })
      .where("number", "=", number)
      .where("webhookId", "=", id)
      .where("state", "<>", "waiting")
      .returning("event")
      .executeTakeFirst();
    if (!again) throw new Conflict(webhookTexts.gone);
    await recordAudit(tx, viewer, { action: "webhook.sent-again", subject: `webhook:${id}`, after: again });
    tx.afterCommit((site) => site.webhooks.wake(site));
  });
}

export async function sweepDeliveries({ db, now }: Site): Promise<void> {
  await db
    .deleteFrom("webhook_deliveries")
    .where("createdAt", "<=", now() - days(webhookLimits.daysKept))
    .execute();
  await db
    .deleteFrom("webhook_deliveries")
    .where("webhookId", "not in", (eb) => eb.selectFrom("webhooks").select("id"))
    .execute();
  for (const { id } of await db.selectFrom("webhooks").select("id").execute())
    await db
      .deleteFrom("webhook_deliveries")
      .where("webhookId", "=", id)
      .where("number", "<=", (eb) =>
        eb
          .selectFrom("webhook_deliveries")
          .select("number")
          .where("webhookId", "=", id)
          .orderBy("number", "desc")
          .limit(1)
          .offset(webhookLimits.deliveriesKept),
      )
      .execute();
}
