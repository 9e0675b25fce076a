import { tokenMark } from "#domain/mail/outbox/compose-queued.server.ts";
import { asMarkdown, emailDocument, emailText, markdownHtml } from "#platform/mail/email-body.ts";
import { excerpt, readMinutes } from "../format.ts";
import type { Settings } from "../settings/settings.ts";
import type { Pick, Picks } from "./picks.server.ts";

/** What everybody gets; `tokenMark` stands where each subscriber's own token goes. */
export type ComposedIssue = { subject: string; text: string; html: string; stop: string };

type Occasion = { settings: Named; url: string; week: number };
type Named = { siteName: Settings["siteName"] };
type Edited = { subject: string | null; introduction: string | null };

function defaultSubject({ settings, picks }: { settings: Named; picks: Picks }): string {
  const first = picks.mostRead[0] ?? picks.featured[0];
  return first ? `${first.title} and more from ${settings.siteName}` : `This week on ${settings.siteName}`;
}

/** Null when there is nothing to say. */
export function composeIssue({ settings, url, week }: Occasion, picks: Picks, edited: Edited): ComposedIssue | null {
  if (picks.mostRead.length + picks.featured.length === 0) return null;
  const stop = `${url}/unsubscribe?token=${tokenMark}&issue=${week}`;
  const markdown = [
    edited.introduction ?? "",
    ...section("Most read this week", picks.mostRead, url),
    ...section("Editors’ picks", picks.featured, url),
    "---",
    `You get this email every week because you subscribed at [${asMarkdown(settings.siteName)}](${url}).`,
    `[Unsubscribe](${stop})`,
  ]
    .filter(Boolean)
    .join("\n\n");
  const subject = edited.subject || defaultSubject({ settings, picks });
  return { subject, stop, text: emailText(markdown), html: emailDocument(settings.siteName, markdownHtml(markdown)) };
}

function section(title: string, stories: Pick[], url: string): string[] {
  return stories.length === 0 ? [] : [`## ${title}`, ...stories.map((story) => describe(story, url))];
}

function describe({ id, title, userName, summary, words }: Pick, url: string): string {
  const link = `**[${asMarkdown(title)}](${url}/post/${encodeURIComponent(id)})**`;
  return [link, asMarkdown(`${userName} · ${readMinutes(words)} min read`), asMarkdown(excerpt(summary))].filter(Boolean).join("\\\n");
}
