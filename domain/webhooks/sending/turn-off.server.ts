import { sendEmail } from "#domain/mail/send-email.server.ts";
import { type Site, type SiteTransaction, transaction } from "#domain/site.ts";

/** Idempotent. Emails the administrators. */
export async function turnOffFailing(site: Site, id: string, because: string): Promise<void> {
  await transaction(site, async (tx) => {
    const off = await tx.db
      .updateTable("webhooks")
      .set({ offAt: tx.now(), offBecause: because })
      .where("id", "=", id)
      .where("offAt", "is", null)
      .returning("address")
      .executeTakeFirst();
    if (!off) return;
    tx.changed("webhooks.changed", {});
    tx.afterCommit((site) => site.webhooks.reload());
    await emailAdministrators(tx, site.adminEmails, { id, address: off.address, because });
  });
}

type TurnedOff = { id: string; address: string; because: string };

async function emailAdministrators(tx: SiteTransaction, listed: string[], { id, address, because }: TurnedOff): Promise<void> {
  const { siteName } = tx.settings;
  const administrators = await tx.db
    .selectFrom("users as u")
    .leftJoin("administrators as a", "a.userId", "u.id")
    .select(["u.id", "u.email"])
    .where("u.emailVerified", "=", true)
    .where((eb) => eb.or([eb("a.role", "=", "administrator"), ...(listed.length > 0 ? [eb("u.email", "in", listed)] : [])]))
    .execute();
  const text = `Hello,

A webhook of ${siteName} was turned off. ${because}

${new URL(address).host}

It won’t get any events until you turn it on again:

${tx.url}/admin/webhooks/${id}

The ${siteName} team
`;
  const subject = `A webhook was turned off (${siteName})`;
  for (const { id: userId, email } of administrators) await sendEmail(tx, { kind: "webhook", userId, to: email, subject, text });
}
