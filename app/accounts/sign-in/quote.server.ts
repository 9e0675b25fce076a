import { excerpt } from "#domain/format.ts";
import { listMarked } from "#domain/posts/post-reads.server.ts";
import type { Site } from "#domain/site.ts";
import { hours } from "#platform/time.ts";

/** The opening of a featured story. */
export type Quote = { text: string; title: string; author: { id: string; name: string; profileImage: string | null } };

const quoteMaxLength = 170;

/** Another featured story each hour. */
export async function readQuote(site: Site): Promise<Quote | null> {
  const posts = await listMarked(site, "featured", 6);
  const post = posts[Math.floor(site.now() / hours(1)) % posts.length];
  if (!post?.summary) return null;
  const { title, userId: id, userName: name, profileImage } = post;
  return { text: openingOf(post.summary), title, author: { id, name, profileImage } };
}

/** As many whole sentences as fit, or an excerpt of the first one. */
export function openingOf(text: string): string {
  const sentences = text.match(/.+?[.!?…]["”’)]*(?=\s|$)/gsu) ?? [];
  let opening = "";
  for (const sentence of sentences) {
    if ((opening + sentence).length > quoteMaxLength) break;
    opening += sentence;
  }
  return opening.trim() || excerpt(text, quoteMaxLength);
}
