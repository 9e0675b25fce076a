import type { Site } from "#domain/site.ts";
import { emailDocument, emailHtml } from "#platform/mail/email-body.ts";
import type { EmailMessage } from "#platform/mail/mail.ts";
import type { ClaimedEmail } from "./claims.server.ts";

type SharedBody = { subject: string; text: string; html: string; unsubscribeUrl: string };

export const tokenPlaceholder = "SUBSCRIBER-TOKEN";

/**
 * An email without HTML gets it from its text. @returns null for a newsletter whose subscriber unsubscribed, or whose text
 * was removed with a deleted account, while it was being queued.
 */
export async function composeQueued(site: Site, { address, message, newsletter }: ClaimedEmail): Promise<EmailMessage | null> {
  const own = JSON.parse(message ?? "{}") as Omit<EmailMessage, "to"> & { token?: string };
  const html = () => emailDocument(site.settings.siteName, own.html ?? emailHtml(own.text, site.url));
  if (newsletter === null) return { to: address, ...own, html: html() };
  const { token = "" } = own;
  const subscriber = await site.db.selectFrom("subscribers").select("email").where("token", "=", token).executeTakeFirst();
  if (!subscriber) return null;
  const row = await site.db.selectFrom("newsletters").select("body").where("week", "=", newsletter).executeTakeFirstOrThrow();
  if (row.body === null) return null;
  const { subject, ...shared } = JSON.parse(row.body) as SharedBody;
  // Only after the site's own address: a story's title may contain the placeholder, in an address of another site.
  const [link = ""] = shared.unsubscribeUrl.split(tokenPlaceholder);
  const filled = (text: string) => text.replaceAll(link + tokenPlaceholder, () => link + encodeURIComponent(token));
  const host = new URL(site.url).hostname;
  const headers = {
    "List-Id": `Newsletter <newsletter.${host}>`,
    "List-Unsubscribe": `<${filled(shared.unsubscribeUrl)}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    Precedence: "bulk",
  };
  return { to: address, subject, text: filled(shared.text), html: filled(shared.html), headers };
}
