import { createECDH, createHash } from "node:crypto";
import ece from "http_ece";
import { FetchError } from "#platform/fetch/fetcher.ts";
import type { PostResponse } from "#platform/fetch/poster.ts";
import { days, minutes, seconds } from "#platform/time.ts";
import type { Site } from "../site.ts";
import { pushAuthorization, pushKeysOf } from "./push-keys.server.ts";

/** Shown by public/service-worker.js. A message replaces an earlier one with the same `tag`. */
export type PushMessage = { title: string; tag: string; url: string };
export type PushTarget = { device: number; endpoint: string; publicKey: string; secret: string; failures: number };

/** `pauseMs`: until the device can be tried again. `isLast`: this push isn't. */
export type DeliveryResult = { pauseMs?: number; isLast?: boolean };

const lastsSeconds = days(1) / seconds(1);
const maxTitle = 300;
const maxFailures = 10;
const retryDelaysMinutes = [1, 5, 15, 60];
const pauseAfterLastMinutes = 60;
const maxRetryDelayMs = minutes(240);

/** Removes devices that are gone or whose pushes are rejected ten times in a row. */
export async function deliverPush(site: Site, target: PushTarget, message: PushMessage, tries: number): Promise<DeliveryResult> {
  const response = await post(site, target, message);
  if (response !== undefined && response.status >= 200 && response.status < 300) {
    if (target.failures > 0) await setFailures(site, target, 0);
    return {};
  }
  const status = response?.status ?? 0;
  site.log.warn({ device: target.device, status }, "a push service rejected a push");
  // Our own network or the service may be down, which says nothing about the device.
  const isTransient = status === 0 || status === 429 || status >= 500;
  if (!isTransient) {
    await countRejection(site, target, status);
    return {};
  }
  const isLast = tries >= retryDelaysMinutes.length;
  const delayMs = minutes(retryDelaysMinutes[tries] ?? pauseAfterLastMinutes);
  const requestedMs = seconds(Number(response?.retryAfter ?? 0) || 0);
  return { pauseMs: Math.min(Math.max(delayMs, requestedMs), maxRetryDelayMs), isLast };
}

async function post(site: Site, { endpoint, publicKey, secret }: PushTarget, message: PushMessage): Promise<PostResponse | undefined> {
  const keys = pushKeysOf(site.secret);
  const subject = site.contactEmail ? `mailto:${site.contactEmail}` : site.url;
  const privateKey = createECDH("prime256v1");
  privateKey.generateKeys();
  const text = Buffer.from(JSON.stringify({ ...message, title: message.title.slice(0, maxTitle) }));
  const body = ece.encrypt(text, { version: "aes128gcm", privateKey, dh: publicKey, authSecret: secret });
  const headers = {
    "content-type": "application/octet-stream",
    "content-encoding": "aes128gcm",
    authorization: pushAuthorization(keys, { endpoint, subject, now: site.now() }),
    ttl: String(lastsSeconds),
    urgency: "normal",
    // Replaces an undelivered message at the push service (RFC 8030, section 5.4).
    topic: createHash("sha256").update(message.tag).digest("base64url").slice(0, 32),
  };
  return site.poster.post(endpoint, { headers, body }).catch((error) => {
    if (error instanceof FetchError) return undefined;
    throw error;
  });
}

async function countRejection(site: Site, target: PushTarget, status: number): Promise<void> {
  const isGone = status === 404 || status === 410 || target.failures + 1 >= maxFailures;
  if (isGone) await site.db.deleteFrom("push_devices").where("number", "=", target.device).execute();
  else await setFailures(site, target, target.failures + 1);
}

async function setFailures({ db }: Site, { device }: PushTarget, failures: number): Promise<void> {
  await db.updateTable("push_devices").set({ failures }).where("number", "=", device).execute();
}
