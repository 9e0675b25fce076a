import { setTimeout as wait } from "node:timers/promises";
import type { Updateable } from "kysely";
import type { EmailKind } from "#domain/mail/email-kinds.ts";
import type { Site } from "#domain/site.ts";
import { truncateWal } from "#platform/database/purge-deleted.ts";
import type { OutboxRow } from "#platform/database/rows/outbox-rows.ts";
import { explainFailure, type MailFailure } from "#platform/mail/failures.ts";
import { minutes, seconds } from "#platform/time.ts";
import { bulkEmailsPerMinute, ClaimEnded, type ClaimedEmail, claimEmails, markSending } from "./claims.server.ts";
import { composeQueued } from "./compose-queued.server.ts";

/** Minutes between tries; the last one repeats until the email expires. */
const retryDelaysMinutes = [1, 5, 15, 60, 120, 240];

/** Any number of processes may run this at the same time. */
export async function deliverDue(site: Site, isClosing: () => boolean): Promise<void> {
  do {
    const emails = await claimEmails(site);
    if (emails.length === 0) return;
    const delay = pauseAfter(emails, site.mail.perMinute);
    const workers = Array.from({ length: site.mail.maxConcurrent ?? 1 }, async () => {
      for (let email = emails.shift(); email; email = emails.shift()) await deliver(site, email);
    });
    await Promise.all(workers);
    if (delay > 0) await wait(delay);
  } while (!isClosing());
}

/** The time until the rate limit allows more emails to lists, at most a second. */
function pauseAfter(emails: ClaimedEmail[], perMinute = Number.POSITIVE_INFINITY): number {
  const bulk = emails.filter(({ isBulk }) => isBulk).length;
  return Math.min(seconds(1), (minutes(1) * bulk) / bulkEmailsPerMinute(perMinute));
}

async function deliver(site: Site, email: ClaimedEmail): Promise<void> {
  let bodyStarted = false;
  const beforeBody = async () => {
    await markSending(site, email);
    bodyStarted = true;
  };
  try {
    const message = await composeQueued(site, email);
    if (!message) return removeEmail(site, email);
    await site.mail.send(message, { beforeBody });
  } catch (error) {
    if (error instanceof ClaimEnded) return;
    return recordFailure(site, email, explainFailure(error, bodyStarted));
  }
  if ((email.kind as EmailKind) === "goodbye") await removeSent(site, email);
  else await finish(site, email, { state: "sent", message: null, problem: null, finishedAt: site.now() });
}

async function removeEmail({ db }: Site, { number, claim }: ClaimedEmail): Promise<void> {
  await db.deleteFrom("outbox").where("number", "=", number).where("claim", "=", claim).execute();
}

/** Removes the row of a sent email that would be the only trace of a deleted account. */
async function removeSent({ db, engine }: Site, { number }: ClaimedEmail): Promise<void> {
  await db.deleteFrom("outbox").where("number", "=", number).execute();
  await truncateWal(db, engine);
}

async function recordFailure(site: Site, email: ClaimedEmail, failure: MailFailure): Promise<void> {
  site.log.warn({ email: email.kind, number: email.number, failure: failure.kind }, "an email was not sent");
  const problem = failure.text;
  if (failure.kind === "later") {
    const delay = minutes(retryDelaysMinutes[email.tries] ?? (retryDelaysMinutes.at(-1) as number));
    const dueAt = Math.min(site.now() + delay, email.expiresAt);
    await finish(site, email, { state: "waiting", claim: null, tries: email.tries + 1, dueAt, problem });
    return;
  }
  const state = failure.kind === "refused" ? "failed" : "unknown";
  if (failure.isRecipientRefused) await recordRefusedEmail(site, email.address, problem);
  await finish(site, email, { state, problem, tries: email.tries + 1, finishedAt: site.now() });
}

async function finish({ db }: Site, { number, claim }: ClaimedEmail, changes: Updateable<OutboxRow>): Promise<void> {
  await db.updateTable("outbox").set(changes).where("number", "=", number).where("claim", "=", claim).execute();
}

async function recordRefusedEmail(site: Site, email: string, problem: string): Promise<void> {
  const refusal = { problem, refusedAt: site.now() };
  await site.db
    .insertInto("refused_addresses")
    .values({ address: email, ...refusal })
    .onConflict((conflict) => conflict.column("address").doUpdateSet(refusal))
    .execute();
}
