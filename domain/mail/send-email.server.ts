import type { EmailMessage } from "#platform/mail/mail.ts";
import { type Site, type SiteTransaction, transaction } from "../site.ts";
import { type EmailKind, emailKinds } from "./email-kinds.ts";

/** `userId`: the member it concerns; unsent emails are deleted with the account. */
export type OutgoingEmail = EmailMessage & { kind: EmailKind; userId?: string | undefined; notBefore?: number | undefined };

/** Sent after the commit, in the background. @returns the email's number in the outbox. */
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
      priority: emailKinds[kind].isBulk ? 1 : 0,
      dueAt,
      expiresAt: dueAt + emailKinds[kind].ttlMs,
      createdAt: now,
    })
    .returning("number")
    .executeTakeFirstOrThrow();
  tx.afterCommit((site) => site.outbox.wake(site));
  return number;
}

export async function sendEmailNow(site: Site, email: OutgoingEmail): Promise<void> {
  await transaction(site, (tx) => sendEmail(tx, email));
}
