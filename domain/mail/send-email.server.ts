import type { EmailMessage as Email } from "#platform/mail/mail.ts";
import type { Site, SiteTransaction } from "../site.ts";

/** Reads what an email says once the transaction has committed; undefined when none is to be sent. */
export type Compose = (site: Site) => Promise<Email | undefined>;

/** Sends an email after the commit, or never; no request waits for it. `about` names it in the log. */
export function sendEmail(tx: Pick<SiteTransaction, "afterCommit">, about: { email: string; userId: string }, compose: Compose): void {
  tx.afterCommit((site) =>
    site.background.run(
      "sending an email",
      async () => {
        const email = await compose(site);
        if (email) await site.mail.send(email);
      },
      about,
    ),
  );
}
