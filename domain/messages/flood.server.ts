import { limitAttempts } from "#domain/limits/attempts.server.ts";
import { isRefusal, TooMany } from "../refusals.ts";
import type { Site } from "../site.ts";
import { messageTexts } from "./message.ts";

const minute = 60_000;
/** Messages that one person may send in a minute. */
export const perMinute = 120;
/** People never written to before that one person may write to in an hour. */
export const strangersPerHour = 30;

type Window = { endsAt: number; count: number };
const windows = new WeakMap<Site["db"], Map<string, Window>>();

/**
 * Counts one message against the sender. Kept in this process: a row for every message would cost as much as the message itself, and with
 * several processes the limit is a few times as high, which still stops a flood. @throws TooMany
 */
export function limitMessages(site: Site, senderId: string): void {
  const now = site.now();
  const ofSite = windows.get(site.db) ?? new Map<string, Window>();
  windows.set(site.db, ofSite);
  if (ofSite.size > 10_000) for (const [id, { endsAt }] of ofSite) if (endsAt <= now) ofSite.delete(id);
  const open = ofSite.get(senderId);
  if (!open || open.endsAt <= now) ofSite.set(senderId, { endsAt: now + minute, count: 1 });
  else if (++open.count > perMinute) throw new TooMany(messageTexts.tooFast);
}

export async function limitStrangers(site: Site, senderId: string): Promise<void> {
  await limitAttempts(site, { kind: "stranger", subject: senderId }, { max: strangersPerHour, minutes: 60 }).catch((error: unknown) => {
    throw isRefusal(error) && error.code === "too-many" ? new TooMany(messageTexts.tooManyStrangers) : error;
  });
}
