import type { EmailMessage as Email } from "#platform/mail/mail.ts";
import type { Site, SiteTransaction } from "../site.ts";

/** Names the email in the log. */
type About = { email: string; userId?: string };

/** Reads what an email says once the transaction has committed; undefined when none is to be sent. */
export type Compose = (site: Site) => Promise<Email | undefined>;

/**
 * Sends an email about what the transaction saves, after the commit, or never. No request waits for it, and a failure to send it is
 * logged. `about` names it in the log.
 */
export function sendEmail(tx: Pick<SiteTransaction, "afterCommit">, about: About, compose: Compose): void {
  tx.afterCommit((site) => sendInBackground(site, about, () => compose(site)));
}

/** As `sendEmail`, about what is saved already. */
export function sendInBackground(
  site: Pick<Site, "background" | "mail">,
  about: About,
  compose: () => Email | undefined | Promise<Email | undefined>,
): void {
  site.background.run(
    "sending an email",
    async () => {
      const email = await compose();
      if (email) await site.mail.send(email);
    },
    about,
  );
}
