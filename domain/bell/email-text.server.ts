import { asMarkdown, emailText, markdownHtml } from "#platform/mail/email-body.ts";
import type { SiteTransaction } from "../site.ts";
import { describe, type Entry, targetOf } from "./entry.ts";

type Letterhead = { name: string; intro: string; stop: string };

/** An email that tells of notifications, as text and as HTML. */
export function notificationsEmail(
  tx: SiteTransaction,
  entries: Entry[],
  { name, intro, stop }: Letterhead,
): { text: string; html: string } {
  const { url, settings } = tx;
  const markdown = [
    `Hello ${asMarkdown(name)},`,
    intro,
    ...entries.map((entry) => line(entry, url)),
    `[See all notifications](${url}/notifications)`,
    "---",
    `The ${asMarkdown(settings.siteName)} team`,
    `[Choose which emails you get](${url}/notifications/settings)`,
    `[Stop these emails](${stop})`,
  ].join("\n\n");
  return { text: emailText(markdown), html: markdownHtml(markdown) };
}

function line(entry: Entry, url: string): string {
  const said = describe(entry)
    .map(({ text, isName }) => (isName ? `**${asMarkdown(text)}**` : asMarkdown(text)))
    .join("");
  return `${said}\\\n[${url}${targetOf(entry) ?? "/notifications"}](${url}${targetOf(entry) ?? "/notifications"})`;
}
