import { createHmac, timingSafeEqual } from "node:crypto";
import type { ClientInfo } from "#domain/accounts/sign-in/auth.server.ts";
import { enforceRateLimit, isWithinLimit, networkOf } from "#domain/limits/rate-limits.server.ts";
import { forgetRefusedEmail } from "#domain/mail/refused-emails.server.ts";
import { sendEmailNow } from "#domain/mail/send-email.server.ts";
import { subscriberToken } from "#domain/mail/subscriber-address.server.ts";
import type { Tables } from "#platform/database/schema.ts";
import { days } from "#platform/time.ts";
import { checkEmail, normalizeEmail } from "../accounts/account.ts";
import { Invalid } from "../refusals.ts";
import { type Site, transaction } from "../site.ts";
import { newsletterTexts } from "./newsletter.ts";
import { alreadySubscribedEmail, subscriptionEmail } from "./newsletter-emails.ts";

const perSender = { max: 10, minutes: 60 };
const emailsPerRecipient = { max: 3, minutes: 24 * 60 };
const unconfirmedRetentionMs = days(30);

/** Emails a confirmation link. Known addresses get an email too, so the answer reveals nothing. @throws Invalid, TooMany. */
export async function subscribe(site: Site, client: ClientInfo, given: string): Promise<void> {
  const problem = checkEmail(given);
  if (problem) throw new Invalid(problem, "email");
  await enforceRateLimit(site, { kind: "subscribe", network: networkOf(client.ip) }, perSender);
  const email = normalizeEmail(given);
  // Protects the mailbox, whatever network the requests come from.
  if (!(await isWithinLimit(site, { kind: "subscription-email", subject: email }, emailsPerRecipient))) return;
  const { token, createdAt, confirmedAt } = await saveSubscriber(site, email);
  const context = { siteName: site.settings.siteName, url: site.url, email, token };
  const code = confirmationCode(site, { email, createdAt });
  const message = confirmedAt === null ? subscriptionEmail({ ...context, code }) : alreadySubscribedEmail(context);
  await sendEmailNow(site, { kind: "subscription", ...message });
}

/** Another one for each subscription, as people forward newsletters, and with them the address's token. */
function confirmationCode({ secret }: Pick<Site, "secret">, { email, createdAt }: { email: string; createdAt: number }): string {
  return createHmac("sha256", secret).update(`newsletter-confirmation:${createdAt}:${email}`).digest("base64url");
}

function isSameCode(expected: string, given: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

/** Whether it may be one: those of former subscribers are deleted, so only an incomplete link is known not to work. */
export function isSubscriberToken(token: string): boolean {
  return /^[\w-]{32}$/.test(token);
}

async function saveSubscriber(site: Site, email: string): Promise<Tables["subscribers"]> {
  const fresh = { email, token: subscriberToken(site, email), createdAt: site.now(), confirmedAt: null };
  await site.db
    .insertInto("subscribers")
    .values(fresh)
    .onConflict((conflict) => conflict.column("email").doNothing())
    .execute();
  return site.db.selectFrom("subscribers").selectAll().where("email", "=", email).executeTakeFirstOrThrow();
}

export async function sweepUnconfirmed({ db, now }: Site): Promise<void> {
  await db
    .deleteFrom("subscribers")
    .where("confirmedAt", "is", null)
    .where("createdAt", "<=", now() - unconfirmedRetentionMs)
    .execute();
}

/** Read-only. @throws Invalid for an unknown token. */
export async function readSubscription({ db }: Site, token: string): Promise<{ email: string }> {
  const subscriber = await db.selectFrom("subscribers").select("email").where("token", "=", token).executeTakeFirst();
  if (!subscriber) throw new Invalid(newsletterTexts.linkUsedUp);
  return subscriber;
}

export type ConfirmationLink = { token: string; code: string };

/** Read-only. The code only matters until it is confirmed. @throws Invalid for an unknown token, or the code of another subscription. */
export async function readConfirmation({ db, secret }: Pick<Site, "db" | "secret">, { token, code }: ConfirmationLink) {
  const subscriber = await db.selectFrom("subscribers").selectAll().where("token", "=", token).executeTakeFirst();
  const confirmed = typeof subscriber?.confirmedAt === "number";
  if (!subscriber || !(confirmed || isSameCode(confirmationCode({ secret }, subscriber), code)))
    throw new Invalid(newsletterTexts.linkUsedUp);
  return { email: subscriber.email, createdAt: subscriber.createdAt, confirmed };
}

/** Idempotent. @throws as `readConfirmation`. */
export async function confirmSubscription(site: Site, link: ConfirmationLink): Promise<{ email: string }> {
  return transaction(site, async (tx) => {
    const { createdAt } = await readConfirmation({ db: tx.db, secret: site.secret }, link);
    const subscriber = await tx.db
      .updateTable("subscribers")
      .set((eb) => ({ confirmedAt: eb.fn.coalesce("confirmedAt", eb.val(tx.now())) }))
      .where("token", "=", link.token)
      .where("createdAt", "=", createdAt)
      .returning("email")
      .executeTakeFirst();
    if (!subscriber) throw new Invalid(newsletterTexts.linkUsedUp);
    await forgetRefusedEmail(tx.db, subscriber.email);
    return subscriber;
  });
}

/** Also deletes the waiting emails. `issue`: week of the newsletter whose link was used. */
export async function unsubscribe(site: Site, token: string, issue?: number): Promise<void> {
  await transaction(site, async (tx) => {
    const subscriber = await tx.db.deleteFrom("subscribers").where("token", "=", token).returning("email").executeTakeFirst();
    if (!subscriber) return;
    await tx.db
      .deleteFrom("outbox")
      .where("address", "=", subscriber.email)
      .where("kind", "=", "newsletter")
      .where("state", "=", "waiting")
      .execute();
    if (issue === undefined) return;
    await tx.db
      .updateTable("newsletters")
      .set((eb) => ({ unsubscribed: eb("unsubscribed", "+", 1) }))
      .where("week", "=", issue)
      .execute();
  });
}
