import { tokenPlaceholder } from "#domain/mail/outbox/compose-queued.server.ts";
import { emailDocument, emailText, escapeMarkdown, markdownHtml } from "#platform/mail/email-body.ts";
import { excerpt, readMinutes } from "../format.ts";
import type { Settings } from "../settings/settings.ts";
import type { PickedPost, PickedPosts } from "./picks.server.ts";

export type ComposedIssue = { subject: string; text: string; html: string; unsubscribeUrl: string };

type IssueContext = { settings: NamedSite; url: string; week: number };
type NamedSite = { siteName: Settings["siteName"] };
type EditedText = { subject: string | null; introduction: string | null };

function defaultSubject({ settings, picks }: { settings: NamedSite; picks: PickedPosts }): string {
  const first = picks.mostRead[0] ?? picks.featured[0];
  return first ? `${first.title} and more from ${settings.siteName}` : `This week on ${settings.siteName}`;
}

/** Null without stories. */
export function composeIssue(context: IssueContext, picks: PickedPosts, edited: EditedText): ComposedIssue | null {
  const { settings, url, week } = context;
  const unsubscribeUrl = `${url}/unsubscribe?token=${tokenPlaceholder}&issue=${week}`;
  const written = write(context, picks, edited, unsubscribeUrl);
  if (!written) return null;
  const { subject, markdown } = written;
  return { subject, unsubscribeUrl, text: emailText(markdown), html: emailDocument(settings.siteName, markdownHtml(markdown)) };
}

/** Its unsubscribe link has no token. */
export function composeTestIssue(context: IssueContext, picks: PickedPosts, edited: EditedText) {
  const written = write(context, picks, edited, context.url);
  if (!written) return null;
  const { subject, markdown } = written;
  return { kind: "test" as const, subject: `Test: ${subject}`, text: emailText(markdown), html: markdownHtml(markdown) };
}

function write({ settings, url }: IssueContext, picks: PickedPosts, edited: EditedText, unsubscribeUrl: string) {
  if (picks.mostRead.length + picks.featured.length === 0) return null;
  const markdown = [
    edited.introduction ?? "",
    ...section("Most read this week", picks.mostRead, url),
    ...section("Editors’ picks", picks.featured, url),
    "---",
    `You get this email every week because you subscribed at [${escapeMarkdown(settings.siteName)}](${url}).`,
    `[Unsubscribe](${unsubscribeUrl})`,
  ]
    .filter(Boolean)
    .join("\n\n");
  return { subject: edited.subject || defaultSubject({ settings, picks }), markdown };
}

function section(title: string, posts: PickedPost[], url: string): string[] {
  return posts.length === 0 ? [] : [`## ${title}`, ...posts.map((post) => describe(post, url))];
}

function describe({ id, title, userName, summary, words }: PickedPost, url: string): string {
  const link = `**[${escapeMarkdown(title)}](${url}/post/${encodeURIComponent(id)})**`;
  return [link, escapeMarkdown(`${userName} · ${readMinutes(words)} min read`), escapeMarkdown(excerpt(summary))]
    .filter(Boolean)
    .join("\\\n");
}
