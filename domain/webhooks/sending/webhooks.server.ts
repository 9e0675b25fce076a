import type { Database } from "#platform/database/open.ts";
import type { Events } from "#platform/events/events.ts";
import type { HttpPoster } from "#platform/fetch/poster.ts";
import { newId } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import { type SerialReads, serialReads } from "#platform/queues/serial-reads.ts";
import type { ChangeKind } from "../../changes.ts";
import type { PublishedChange, Site, SiteTransaction, Webhooks } from "../../site.ts";
import { type WebhookPayload, webhookEventOf, webhookPayload } from "../payloads.server.ts";
import type { WebhookEvent } from "../webhook.ts";
import { deliverDue } from "./delivery.server.ts";

type Listening = { id: string; events: WebhookEvent[] };
type Parts = { db: Database; events: Events; log: Log; poster: HttpPoster; allowPrivate: boolean };

/** @throws Error if they can't be read: without the list, changes would be announced to nobody. */
export async function openWebhooks(parts: Parts): Promise<Webhooks> {
  const webhooks = new CachedWebhooks(parts);
  // Subscribed before the first read, so that no change is missed.
  parts.events.subscribe("webhooks", () => void webhooks.reload());
  await webhooks.read();
  return webhooks;
}

class CachedWebhooks implements Webhooks {
  readonly allowPrivate: boolean;
  readonly read: SerialReads["read"];
  readonly reload: SerialReads["reload"];
  readonly #parts: Parts;
  #listening: Listening[] = [];
  #hasWebhooks = false;
  #deliver: ((site: Site) => Promise<void>) | undefined;
  #wakeUp = Promise.withResolvers<void>();
  readonly #closing = new AbortController();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.allowPrivate = parts.allowPrivate;
    ({ read: this.read, reload: this.reload } = serialReads(() => this.#readOnce(), parts.log, "webhooks"));
  }

  async #readOnce(): Promise<void> {
    const rows = await this.#parts.db.selectFrom("webhooks").select(["id", "events", "offAt"]).execute();
    this.#hasWebhooks = rows.length > 0;
    this.#listening = rows
      .filter(({ offAt }) => offAt === null)
      .map(({ id, events }) => ({ id, events: JSON.parse(events) as WebhookEvent[] }));
  }

  wants(kind: ChangeKind): boolean {
    if (this.#listening.length === 0) return false;
    const event = webhookEventOf(kind);
    return event !== undefined && this.#listening.some(({ events }) => events.includes(event));
  }

  async write(tx: SiteTransaction, changes: PublishedChange[]): Promise<void> {
    for (const change of changes) {
      const payload = await webhookPayload(tx, change);
      if (!payload) continue;
      const ids = this.#listening.filter(({ events }) => events.includes(payload.event)).map(({ id }) => id);
      if (ids.length > 0) await queueDeliveries(tx, ids, payload);
    }
    tx.afterCommit((site) => this.wake(site));
  }

  wake(site: Site): void {
    if (!this.#hasWebhooks) return;
    this.#wakeUp.resolve();
    this.#deliver ??= site.background.repeated("delivering webhooks", (site: Site) =>
      deliverDue(site, this.#parts.poster, { closing: this.#closing.signal, nextWake: () => this.#nextWake() }),
    );
    void this.#deliver(site);
  }

  #nextWake(): Promise<void> {
    this.#wakeUp = Promise.withResolvers();
    return this.#wakeUp.promise;
  }

  /** Aborted deliveries are retried by another process or after a restart. */
  close(): void {
    this.#closing.abort();
  }
}

type QueuedDelivery = Omit<WebhookPayload, "event"> & { event: string };

/** All deliveries share a message id, by which receivers detect duplicates. */
export async function queueDeliveries(
  { db, now }: SiteTransaction,
  webhookIds: string[],
  { event, data, userId, forgetAfter }: QueuedDelivery,
): Promise<void> {
  const at = now();
  const body = JSON.stringify({ type: event, timestamp: new Date(at).toISOString(), data });
  const waiting = { state: "waiting" as const, tries: 0, dueAt: at, createdAt: at };
  const shared = { messageId: `msg_${newId(at)}`, event, body, userId, forgetAfter: forgetAfter ?? false };
  await db
    .insertInto("webhook_deliveries")
    .values(webhookIds.map((webhookId) => ({ webhookId, ...shared, ...waiting })))
    .execute();
}
