import type { EmailMessage } from "#platform/mail/mail.ts";
import { type Site, type SiteTransaction, transaction } from "../site.ts";
import { type EmailKind, emailKinds } from "./email-kinds.ts";

/** An email to one address. `userId` is whose account it is about: what waits goes with the account. `notBefore` is in milliseconds. */
export type OutgoingEmail = EmailMessage & { kind: EmailKind; userId?: string | undefined; notBefore?: number | undefined };

/**
 * Sends an email about what the transaction saves, once it has committed, or never. No request waits for the mail server.
 * @returns its number in the outbox.
 */
export async function sendEmail(tx: Pick<SiteTransaction, "db" | "now" | "afterCommit">, email: OutgoingEmail): Promise<number> {
  const { to, kind, userId, notBefore, ...message } = email;
  const now = tx.now();
  const dueAt = notBefore ?? now;
  const { number } = await tx.db
    .insertInto("outbox")
    .values({
      kind,
      userId: userId ?? null,
      address: to,
      message: JSON.stringify(message),
      state: "waiting",
      priority: emailKinds[kind].toList ? 1 : 0,
      dueAt,
      expiresAt: dueAt + emailKinds[kind].lastsMs,
      createdAt: now,
    })
    .returning("number")
    .executeTakeFirstOrThrow();
  tx.afterCommit((site) => site.outbox.wake(site));
  return number;
}

/** As `sendEmail`, about what is saved already. */
export async function sendEmailNow(site: Site, email: OutgoingEmail): Promise<void> {
  await transaction(site, (tx) => sendEmail(tx, email));
}
