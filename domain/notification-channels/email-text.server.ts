import { emailText, escapeMarkdown, markdownHtml } from "#platform/mail/email-body.ts";
import type { SiteTransaction } from "../site.ts";
import { describe, type NotificationEntry, peopleIn, targetOf } from "./entry.ts";

/** The receiver's name, the first sentence and the unsubscribe link. */
type Opening = { name: string; intro: string; unsubscribeUrl: string };
type Email = { text: string; html: string };

export function notificationsEmail(tx: SiteTransaction, entries: NotificationEntry[], opening: Opening): Email {
  const lines = entries.map((entry) => line(entry, tx.url));
  return emailOf(tx, opening, [...lines, ...linksToPeople(entries, tx.url), `[See all notifications](${tx.url}/notifications)`]);
}

/** Account deletion finds the email by these links. */
function linksToPeople(entries: NotificationEntry[], url: string): string[] {
  const profiles = new Map(entries.flatMap(peopleIn).map(({ id, name }) => [id, name]));
  const links = [...profiles].map(([id, name]) => `- [${escapeMarkdown(name)}](${url}/profile/${encodeURIComponent(id)})`);
  return links.length > 0 ? ["Their profiles:", links.join("\n")] : [];
}

/** An email as text and HTML; `parts` are Markdown. */
export function emailOf({ url, settings }: SiteTransaction, { name, intro, unsubscribeUrl }: Opening, parts: string[]): Email {
  const end = [
    "---",
    `The ${escapeMarkdown(settings.siteName)} team`,
    `[Choose which emails you get](${url}/notifications/settings)`,
    `[Stop these emails](${unsubscribeUrl})`,
  ];
  const markdown = [`Hello ${escapeMarkdown(name)},`, intro, ...parts, ...end].join("\n\n");
  return { text: emailText(markdown), html: markdownHtml(markdown) };
}

/** In the text the address is below the sentence, in the HTML behind it. */
function line(entry: NotificationEntry, url: string): string {
  const sentence = describe(entry)
    .map(({ text, isName }) => (isName ? `**${escapeMarkdown(text)}**` : escapeMarkdown(text)))
    .join("");
  return `[${sentence}](${url}${targetOf(entry) ?? "/notifications"})`;
}
