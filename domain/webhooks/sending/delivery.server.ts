import type { Updateable } from "kysely";
import type { Site } from "#domain/site.ts";
import type { WebhookDeliveryRow } from "#platform/database/rows/webhook-rows.ts";
import { FetchError, PrivateIpError } from "#platform/fetch/fetcher.ts";
import type { HttpPoster } from "#platform/fetch/poster.ts";
import { days, minutes, seconds } from "#platform/time.ts";
import { testEvent, webhookLimits } from "../webhook.ts";
import { type ClaimedDelivery, claimDeliveries } from "./claims.server.ts";
import { signedHeaders } from "./signature.server.ts";
import { turnOffFailing } from "./turn-off.server.ts";

const retryDelaysMinutes = [1, 5, 15, 60, 120, 240, 240, 240, 240, 240];

const timeoutMs = seconds(10);
const maxResponseBytes = 1024;

type DeliveryContext = {
  closing: AbortSignal;
  nextWake(): Promise<void>;
};

/** One at a time per webhook. Any number of processes may run this. */
export async function deliverDue(site: Site, poster: HttpPoster, { closing, nextWake }: DeliveryContext): Promise<void> {
  const running = new Set<Promise<void>>();
  while (!closing.aborted) {
    const again = nextWake();
    for (const delivery of await claimDeliveries(site)) {
      const delivering: Promise<void> = deliver(site, delivery, poster, closing)
        .catch((err) => site.log.error({ err }, "the result of a webhook delivery was not saved"))
        .finally(() => running.delete(delivering));
      running.add(delivering);
    }
    if (running.size === 0) return;
    await Promise.race([...running, again]);
  }
  await Promise.all(running);
}

type Outcome = { status: number | null; answer: string | null; problem: string | null; isFinal: boolean };

async function deliver(site: Site, delivery: ClaimedDelivery, poster: HttpPoster, closing: AbortSignal): Promise<void> {
  const row = await site.db.selectFrom("webhooks").select(["address", "secret"]).where("id", "=", delivery.webhookId).executeTakeFirst();
  if (!row) return;
  const outcome = await attempt(site, delivery, row, poster, closing);
  if (closing.aborted && outcome.problem !== null) return;
  const { isFinal, ...result } = outcome;
  const tried = { ...result, tries: delivery.tries + 1 };
  if (outcome.problem === null) {
    await finish(site, delivery, { ...tried, state: "delivered", finishedAt: site.now() });
    await recordSuccess(site, delivery.webhookId);
    return;
  }
  const retryDelay = isFinal || delivery.event === testEvent ? undefined : retryDelaysMinutes[delivery.tries];
  if (retryDelay === undefined) await finish(site, delivery, { ...tried, state: "failed", finishedAt: site.now() });
  else await finish(site, delivery, { ...tried, claim: null, dueAt: site.now() + minutes(retryDelay) });
  if (delivery.event !== testEvent) await recordFailure(site, delivery.webhookId, outcome.status === 410);
}

async function attempt(
  { now }: Site,
  { messageId, body }: ClaimedDelivery,
  { address, secret }: { address: string; secret: string },
  poster: HttpPoster,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const signed = signedHeaders(secret, { id: messageId, at: now(), body });
    const headers = { "content-type": "application/json", "user-agent": "Inkstead", ...signed };
    const { status, body: answer = "" } = await poster.post(address, {
      headers,
      body: Buffer.from(body),
      signal,
      timeoutMs,
      maxResponseBytes,
    });
    const isAccepted = status >= 200 && status < 300;
    const redirect = status >= 300 && status < 400 ? " Redirects aren’t followed." : "";
    // PostgreSQL rejects NUL.
    return {
      status,
      answer: answer.replaceAll("\0", ""),
      problem: isAccepted ? null : `It answered ${status}.${redirect}`,
      isFinal: status === 410,
    };
  } catch (error) {
    return { status: null, answer: null, problem: explainError(error), isFinal: false };
  }
}

const notPublic =
  "Nothing was sent: this site only posts to public addresses on port 443. For a receiver on your own network, set WEBHOOKS_ALLOW_PRIVATE=yes.";

function explainError(error: unknown): string {
  const { message, cause } = error as Error;
  if (error instanceof PrivateIpError) return notPublic;
  if (error instanceof FetchError && !cause) return `Nothing was sent: ${message}.`;
  const { code = message, cause: reason } = (cause ?? error) as Error & { code?: string };
  if ((reason as Error | undefined)?.name === "TimeoutError") return "It didn’t answer within 10 seconds.";
  return `It can’t be reached (${String(code).slice(0, 200)}).`;
}

async function finish(
  { db }: Site,
  { number, claim, forgetAfter }: ClaimedDelivery,
  changes: Updateable<WebhookDeliveryRow>,
): Promise<void> {
  if (forgetAfter && changes.finishedAt) {
    await db.deleteFrom("webhook_deliveries").where("number", "=", number).where("claim", "=", claim).execute();
    return;
  }
  await db.updateTable("webhook_deliveries").set(changes).where("number", "=", number).where("claim", "=", claim).execute();
}

async function recordSuccess({ db }: Site, id: string): Promise<void> {
  await db.updateTable("webhooks").set({ failingSince: null }).where("id", "=", id).where("failingSince", "is not", null).execute();
}

async function recordFailure(site: Site, id: string, isGone: boolean): Promise<void> {
  const { db, now } = site;
  await db.updateTable("webhooks").set({ failingSince: now() }).where("id", "=", id).where("failingSince", "is", null).execute();
  if (isGone) return turnOffFailing(site, id, "It answered 410 (Gone): the address is no longer in use.");
  const long = await db
    .selectFrom("webhooks")
    .select("id")
    .where("id", "=", id)
    .where("failingSince", "<=", now() - days(webhookLimits.daysFailing))
    .executeTakeFirst();
  if (long) await turnOffFailing(site, id, `Every delivery failed for ${webhookLimits.daysFailing} days.`);
}
