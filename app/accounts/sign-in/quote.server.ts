import { redirect } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import type { RouteArgs } from "#app/shell/route-function.ts";
import { excerpt } from "#domain/format.ts";
import { listFeatured } from "#domain/posts/post-reads.server.ts";
import type { Site } from "#domain/site.ts";
import { hours } from "#platform/time.ts";

/** The beginning of a story, shown beside the account forms. */
export type Quote = { text: string; title: string; author: { id: string; name: string; profileImage: string | null } };

const quoteMaxLength = 170;

/** What the pages show on which someone signs in or up; members are led home. */
export async function loadForVisitor(context: RouteArgs["context"]) {
  if (context.get(viewerContext)) throw redirect("/");
  return { quote: await readQuote(context.get(siteContext)) };
}

export async function readQuote(site: Site): Promise<Quote | null> {
  const stories = await listFeatured(site, 6);
  const story = stories[Math.floor(site.now() / hours(1)) % stories.length];
  if (!story?.summary) return null;
  const { title, userId: id, userName: name, profileImage } = story;
  return { text: openingOf(story.summary), title, author: { id, name, profileImage } };
}

/** Whole sentences as far as they fit, or the first one cut short. */
export function openingOf(text: string): string {
  const sentences = text.match(/.+?[.!?…]["”’)]*(?=\s|$)/gsu) ?? [];
  let opening = "";
  for (const sentence of sentences) {
    if ((opening + sentence).length > quoteMaxLength) break;
    opening += sentence;
  }
  return opening.trim() || excerpt(text, quoteMaxLength);
}
