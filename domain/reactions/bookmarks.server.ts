import type { ExpressionBuilder } from "kysely";
import { storyCards } from "#domain/search/cards.server.ts";
import { matching } from "#domain/search/matching.server.ts";
import type { Tables } from "#platform/database/schema.ts";
import { searchTerms } from "#platform/database/search/search.ts";
import { mustBeAllowed } from "../permissions.ts";
import type { StoryCard } from "../posts/post.ts";
import type { Site, Viewer } from "../site.ts";

/** A bookmarked story; `bookmarkedAt` in milliseconds. */
export type BookmarkedStory = StoryCard & { bookmarkedAt: number };
export type BookmarkPage = { posts: BookmarkedStory[]; next: string | null };

type BookmarksRequest = { limit: number; after?: string | null | undefined; search?: string | undefined };

export async function listBookmarks(site: Site, viewer: Viewer, { limit, after, search }: BookmarksRequest): Promise<BookmarkPage> {
  mustBeAllowed(viewer, "see own bookmarks", viewer?.id);
  const from = after ? readCursor(after) : undefined;
  const terms = search ? searchTerms(search) : [];
  let query = storyCards(site)
    .innerJoin("bookmarks", "bookmarks.postId", "posts.id")
    .select("bookmarks.createdAt as bookmarkedAt")
    .where("bookmarks.userId", "=", viewer.id)
    .where(isReadableBy(viewer.id));
  if (terms.length > 0) query = query.where(await matching(site, terms));
  if (from)
    query = query.where((eb) => eb(eb.refTuple("bookmarks.createdAt", "bookmarks.postId"), "<", eb.tuple(from.createdAt, from.postId)));
  const rows = await query
    .orderBy("bookmarks.createdAt", "desc")
    .orderBy("bookmarks.postId", "desc")
    .limit(limit + 1)
    .execute();
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { posts: rows.slice(0, limit).map(({ number: _number, ...card }) => card), next: last ? `${last.bookmarkedAt}-${last.id}` : null };
}

export async function countBookmarks(site: Site, viewer: Viewer): Promise<number> {
  mustBeAllowed(viewer, "see own bookmarks", viewer?.id);
  const { count } = await site.db
    .selectFrom("bookmarks")
    .innerJoin("posts", "posts.id", "bookmarks.postId")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("bookmarks.userId", "=", viewer.id)
    .where(isReadableBy(viewer.id))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function isReadableBy(userId: string) {
  return (eb: ExpressionBuilder<Tables, "posts">) => eb.or([eb("posts.status", "=", "active"), eb("posts.userId", "=", userId)]);
}

function readCursor(cursor: string): { createdAt: number; postId: string } | undefined {
  const [, createdAt, postId] = /^(\d{1,15})-(.{1,100})$/.exec(cursor) ?? [];
  return createdAt && postId ? { createdAt: Number(createdAt), postId } : undefined;
}
