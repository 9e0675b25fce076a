import { isIP } from "node:net";
import { countRows } from "#platform/database/count-rows.ts";
import { forUpdate } from "#platform/database/locks.ts";
import type { WebhookRow } from "#platform/database/rows/webhook-rows.ts";
import { isPublicIp } from "#platform/fetch/public-ips.ts";
import { newId } from "#platform/ids.ts";
import { days } from "#platform/time.ts";
import { recordAudit } from "../audit/audit.server.ts";
import { requirePermission } from "../permissions.ts";
import { Conflict, Invalid, NotFound, TooMany } from "../refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { newSecret } from "./sending/signature.server.ts";
import { type Webhook, type WebhookEvent, webhookEvents, webhookLimits, webhookTexts } from "./webhook.ts";
import type { WebhookInput } from "./webhook-input.ts";

const columns = ["id", "address", "events", "failingSince", "offAt", "offBecause"] as const;

function read({ id, address, events, failingSince, offAt, offBecause }: Pick<WebhookRow, (typeof columns)[number]>): Webhook {
  return { id, address, events: JSON.parse(events) as WebhookEvent[], failingSince, offAt, offBecause };
}

export async function listWebhooks(site: Site, viewer: Viewer): Promise<Webhook[]> {
  requirePermission(viewer, "see webhooks");
  return (await site.db.selectFrom("webhooks").select(columns).orderBy("createdAt").orderBy("id").execute()).map(read);
}

/** @throws NotFound. */
export async function findWebhook(site: Site, viewer: Viewer, id: string): Promise<Webhook> {
  requirePermission(viewer, "see webhooks");
  const row = await site.db.selectFrom("webhooks").select(columns).where("id", "=", id).executeTakeFirst();
  if (!row) throw new NotFound();
  return read(row);
}

/** The secret is shown only once. @throws TooMany beyond 20, Invalid for `address`. */
export async function addWebhook(site: Site, viewer: Viewer, input: WebhookInput): Promise<{ id: string; secret: string }> {
  requirePermission(viewer, "change webhooks");
  requirePublic(site, input.address);
  const secret = newSecret();
  const id = newId(site.now());
  await change(site, async (tx) => {
    if ((await countRows(tx.db.selectFrom("webhooks"))) >= webhookLimits.webhooks) throw new TooMany(webhookTexts.tooMany);
    const values = { id, address: input.address, events: JSON.stringify(input.events), secret, createdAt: tx.now() };
    await tx.db.insertInto("webhooks").values(values).execute();
    await recordAudit(tx, viewer, { action: "webhook.added", subject: `webhook:${id}`, after: describeInput(input) });
  });
  return { id, secret };
}

/** Details of a conflict: what someone else has saved. */
export type WebhookChanged = { kind: "webhook-changed"; present: WebhookInput };

/** @param shown what the viewer edited. @throws NotFound, Invalid for `address`, Conflict (WebhookChanged) if it has changed since. */
export async function saveWebhook(site: Site, viewer: Viewer, id: string, input: WebhookInput, shown?: WebhookInput): Promise<void> {
  requirePermission(viewer, "change webhooks");
  requirePublic(site, input.address);
  await change(site, async (tx) => {
    const row = await forUpdate(tx, tx.db.selectFrom("webhooks").select(columns).where("id", "=", id)).executeTakeFirst();
    if (!row) throw new NotFound();
    const before = read(row);
    if (shown && !isSame(before, shown) && !isSame(before, input)) throw changedMeanwhile(before);
    await update(tx, id, { address: input.address, events: JSON.stringify(input.events) });
    await recordAudit(tx, viewer, {
      action: "webhook.saved",
      subject: `webhook:${id}`,
      before: describeInput(before),
      after: describeInput(input),
    });
  });
}

function changedMeanwhile({ address, events }: WebhookInput): Conflict {
  const what = events.map((event) => webhookEvents[event]).join(", ");
  const text = `Someone else changed this webhook to ${address} (${what}). Save again to replace it with yours.`;
  return new Conflict(text, undefined, { kind: "webhook-changed", present: { address, events } } satisfies WebhookChanged);
}

/** Turning it on fails deliveries that have waited for a day. @throws NotFound. */
export async function setWebhookOn(site: Site, viewer: Viewer, id: string, on: boolean): Promise<void> {
  requirePermission(viewer, "change webhooks");
  const { address } = await findWebhook(site, viewer, id);
  await change(site, async (tx) => {
    await update(tx, id, { offAt: on ? null : tx.now(), offBecause: null, failingSince: null });
    if (on) await failOldDeliveries(tx, id);
    await recordAudit(tx, viewer, { action: on ? "webhook.on" : "webhook.off", subject: `webhook:${id}`, after: { address } });
  });
}

async function failOldDeliveries({ db, now }: SiteTransaction, webhookId: string): Promise<void> {
  await db
    .updateTable("webhook_deliveries")
    .set({ state: "failed", problem: webhookTexts.wasOff, finishedAt: now() })
    .where("webhookId", "=", webhookId)
    .where("state", "=", "waiting")
    .where("createdAt", "<=", now() - days(1))
    .execute();
}

/** Invalidates the old secret. @throws NotFound. */
export async function renewSecret(site: Site, viewer: Viewer, id: string): Promise<string> {
  requirePermission(viewer, "change webhooks");
  const { address } = await findWebhook(site, viewer, id);
  const secret = newSecret();
  await change(site, async (tx) => {
    await update(tx, id, { secret });
    await recordAudit(tx, viewer, { action: "webhook.secret-renewed", subject: `webhook:${id}`, after: { address } });
  });
  return secret;
}

/** @throws NotFound. */
export async function deleteWebhook(site: Site, viewer: Viewer, id: string): Promise<void> {
  requirePermission(viewer, "change webhooks");
  const before = await findWebhook(site, viewer, id);
  await change(site, async (tx) => {
    await tx.db.deleteFrom("webhooks").where("id", "=", id).execute();
    await tx.db.deleteFrom("webhook_deliveries").where("webhookId", "=", id).execute();
    await recordAudit(tx, viewer, { action: "webhook.deleted", subject: `webhook:${id}`, before: describeInput(before) });
  });
}

async function change(site: Site, work: (tx: SiteTransaction) => Promise<void>): Promise<void> {
  await transaction(site, async (tx) => {
    await work(tx);
    tx.changed("webhooks.changed", {});
    tx.afterCommit((site) => site.webhooks.reload());
  });
}

async function update({ db }: SiteTransaction, id: string, changes: Partial<WebhookRow>): Promise<void> {
  const { numUpdatedRows } = await db.updateTable("webhooks").set(changes).where("id", "=", id).executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new NotFound();
}

/** Early check; a host name's addresses are checked at each delivery. */
function requirePublic({ webhooks }: Site, address: string): void {
  if (webhooks.allowPrivate) return;
  if (!address.startsWith("https://")) throw new Invalid(webhookTexts.wrongAddress, "address");
  const { hostname, port } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (host === "localhost" || (isIP(host) && !isPublicIp(host))) throw new Invalid(webhookTexts.privateAddress, "address");
  if (port) throw new Invalid(webhookTexts.otherPort, "address");
}

function isSame(one: WebhookInput, other: WebhookInput): boolean {
  return JSON.stringify(describeInput(one)) === JSON.stringify(describeInput(other));
}

function describeInput({ address, events }: WebhookInput) {
  return { address, events: events.join(", ") };
}
