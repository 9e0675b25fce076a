import { type ExpressionBuilder, sql } from "kysely";
import { postCards } from "#domain/search/cards.server.ts";
import { matching } from "#domain/search/matching.server.ts";
import { countRows } from "#platform/database/count-rows.ts";
import { cutPage, isBeyond, readCursor } from "#platform/database/keyset.ts";
import type { Tables } from "#platform/database/schema.ts";
import { searchTerms } from "#platform/database/search/search.ts";
import { requirePermission } from "../permissions.ts";
import type { PostCard } from "../posts/post.ts";
import type { Site, Viewer } from "../site.ts";

export type BookmarkedPost = PostCard & { bookmarkedAt: number };
export type BookmarkPage = { posts: BookmarkedPost[]; next: string | null };

type BookmarksRequest = { limit: number; after?: string | null | undefined; search?: string | undefined };

export async function listBookmarks(site: Site, viewer: Viewer, { limit, after, search }: BookmarksRequest): Promise<BookmarkPage> {
  requirePermission(viewer, "see own bookmarks", viewer?.id);
  const from = readCursor(after, ["number", "text"]);
  const terms = search ? searchTerms(search) : [];
  let query = postCards(site)
    .innerJoin("bookmarks", "bookmarks.postId", "posts.id")
    .select("bookmarks.createdAt as bookmarkedAt")
    .where("bookmarks.userId", "=", viewer.id)
    .where(isReadableBy(viewer.id));
  if (terms.length > 0) query = query.where(await matching(site, terms));
  if (from) query = query.where(isBeyond([sql.ref("bookmarks.createdAt"), sql.ref("bookmarks.postId")], from));
  const rows = await query
    .orderBy("bookmarks.createdAt", "desc")
    .orderBy("bookmarks.postId", "desc")
    .limit(limit + 1)
    .execute();
  const { rows: shown, next } = cutPage(rows, limit, ({ bookmarkedAt, id }) => [bookmarkedAt, id]);
  return { posts: shown.map(({ number: _number, ...card }) => card), next };
}

export async function countBookmarks(site: Site, viewer: Viewer): Promise<number> {
  requirePermission(viewer, "see own bookmarks", viewer?.id);
  const bookmarks = site.db.selectFrom("bookmarks").innerJoin("posts", "posts.id", "bookmarks.postId");
  return countRows(bookmarks.where("bookmarks.userId", "=", viewer.id).where(isReadableBy(viewer.id)));
}

function isReadableBy(userId: string) {
  return (eb: ExpressionBuilder<Tables, "posts">) => eb.or([eb("posts.status", "=", "active"), eb("posts.userId", "=", userId)]);
}
