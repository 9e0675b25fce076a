import { limitAttempts } from "#domain/limits/attempts.server.ts";
import { BudgetExceeded } from "#platform/queues/budget.ts";
import { isRefusal, TooMany } from "../refusals.ts";
import type { Site } from "../site.ts";
import { messageTexts } from "./message.ts";

/** Messages that one person may send in a minute. */
export const perMinute = 120;
/** People never written to before that one person may write to in an hour. */
export const strangersPerHour = 30;

/**
 * Counts one message against the sender. Kept in this process: a row for every message would cost as much as the message itself, and with
 * several processes the limit is a few times as high, which still stops a flood. @throws TooMany
 */
export function limitMessages({ memory }: Site, senderId: string): void {
  try {
    memory.messages.mustBeBelow(senderId, perMinute);
  } catch (error) {
    throw error instanceof BudgetExceeded ? new TooMany(messageTexts.tooFast) : error;
  }
  memory.messages.spend(senderId, 1);
}

export async function limitStrangers(site: Site, senderId: string): Promise<void> {
  await limitAttempts(site, { kind: "stranger", subject: senderId }, { max: strangersPerHour, minutes: 60 }).catch((error: unknown) => {
    throw isRefusal(error) && error.code === "too-many" ? new TooMany(messageTexts.tooManyStrangers) : error;
  });
}
