import { plainEmail } from "#domain/mail/plain-email.ts";
import { sendEmail } from "#domain/mail/send-email.server.ts";
import { type Site, type SiteTransaction, transaction } from "#domain/site.ts";
import { findAdministrators } from "#domain/staff/staff.server.ts";

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

async function emailAdministrators(tx: SiteTransaction, adminEmails: string[], { id, address, because }: TurnedOff): Promise<void> {
  const { siteName } = tx.settings;
  const body = `A webhook of ${siteName} was turned off. ${because}

${new URL(address).host}

It won’t get any events until you turn it on again:

${tx.url}/admin/webhooks/${id}`;
  const subject = `A webhook was turned off (${siteName})`;
  for (const { id: userId, email } of await findAdministrators({ db: tx.db, adminEmails }).select("u.email").execute())
    await sendEmail(tx, { kind: "webhook", userId, ...plainEmail(siteName, { to: email, subject, body }) });
}
