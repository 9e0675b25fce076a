import { type ExpressionBuilder, type SqlBool, sql } from "kysely";
import { createdAt, postCards } from "#domain/search/cards.server.ts";
import {
  listPosts,
  listSearchResults,
  newestCards,
  type Paging,
  type PostListPage,
  readNewestCursor,
} from "#domain/search/lists.server.ts";
import { matching } from "#domain/search/matching.server.ts";
import { isPostSort, type ListSort } from "#domain/search/post-sorts.ts";
import { cutPage, isBeyond } from "#platform/database/keyset.ts";
import { prepareQuery } from "#platform/database/prepared.ts";
import type { Tables } from "#platform/database/schema.ts";
import { searchTerms } from "#platform/database/search/search.ts";
import { recordDraftAccess } from "../audit/record-access.server.ts";
import { readCounters } from "../counters/counters.server.ts";
import { findPostNotice } from "../moderation/notices.server.ts";
import { requirePermission } from "../permissions.ts";
import { isReadable } from "../readable-posts.server.ts";
import { NotFound } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import type { OwnPost, Post, PostCard } from "./post.ts";

export async function listLatest(
  site: Site,
  { search, authorId, ...paging }: Paging & { search?: string | undefined; authorId?: string },
): Promise<PostListPage> {
  if (authorId) return newestCards(postCards(site).where("posts.status", "=", "active").where("posts.userId", "=", authorId), paging);
  const found = search ? await listSearchResults(site, { text: search, sort: "newest", ...paging }) : undefined;
  return found ?? listPosts(site, { sort: "newest", ...paging });
}

type PublishedTotals = { posts: number; views: number; likes: number; writers: number };

export type AllPosts = PostListPage & {
  sort: ListSort;
  stats: PublishedTotals;
  /** Counted up to `maxCountedMatches`; null without a search. */
  matches: number | null;
};

export async function readAllPosts(site: Site, request: Paging & { search: string; sort: string | null }): Promise<AllPosts> {
  const { search, sort: name, ...paging } = request;
  const sort = isPostSort(name) ? name : undefined;
  const [{ published, publishedViews, publishedLikes, writers }, found] = await Promise.all([
    readCounters(site),
    search ? listSearchResults(site, { text: search, sort: sort ?? "best", ...paging }) : undefined,
  ]);
  const stats = { posts: published, views: publishedViews, likes: publishedLikes, writers };
  if (found) return { ...found, sort: sort ?? "best", stats };
  return { ...(await listPosts(site, { sort: sort ?? "newest", ...paging })), sort: sort ?? "newest", stats, matches: null };
}

export type OwnPostsPage = { posts: OwnPost[]; next: string | null };

type OwnPostsQuery = Paging & { search?: string | undefined; draftsOnly?: boolean };

export async function listOwnPosts(
  site: Site,
  viewer: Viewer,
  { search = "", draftsOnly = false, ...paging }: OwnPostsQuery,
): Promise<OwnPostsPage> {
  requirePermission(viewer, "read a draft", viewer?.id);
  let query = postCards(site)
    .select(createdAt.as("createdAt"))
    .select((eb) =>
      eb
        .selectFrom("moderation_actions")
        .select("moderation_actions.kind")
        .whereRef("moderation_actions.id", "=", "posts.heldBy")
        .as("held"),
    )
    .where("posts.userId", "=", viewer.id);
  if (draftsOnly) query = query.where("posts.status", "=", "inactive");
  const terms = searchTerms(search);
  if (terms.length > 0) query = query.where(await matching(site, terms));
  const from = readNewestCursor(paging.after);
  const rows = await (from ? query.where(isBeyond([createdAt, sql.ref("posts.number")], from)) : query)
    .orderBy(createdAt, "desc")
    .orderBy("posts.number", "desc")
    .limit(paging.limit + 1)
    .execute();
  const { rows: shown, next } = cutPage(rows, paging.limit, ({ createdAt, number }) => [createdAt, number]);
  return { posts: shown.map(({ number: _number, ...card }) => card), next };
}

/** Written so that no index applies: SQLite would use that of all published stories instead of the small one of marked stories. */
const isPublished = sql<SqlBool>`posts.status || '' = 'active'`;

export async function listMarked(site: Site, mark: "featured" | "pinned", limit: number, search = ""): Promise<PostCard[]> {
  const published = postCards(site).where(`posts.${mark}`, "=", sql.lit(true)).where(isPublished);
  const terms = searchTerms(search);
  return (await newestCards(terms.length > 0 ? published.where(await matching(site, terms)) : published, { limit })).posts;
}

const queryPost = prepareQuery(({ db }, { id, viewerId }: { id: string; viewerId: string }) =>
  postCards({ db })
    .leftJoin("suspensions", "suspensions.userId", "posts.userId")
    .select((eb) => [has(eb, "likes", viewerId).as("liked"), has(eb, "bookmarks", viewerId).as("bookmarked")])
    .select(["posts.content", "posts.heldBy", "profiles.userId as profileId", "profiles.bio", "profiles.location"])
    .select(["profiles.website", "profiles.twitter", "profiles.github", "profiles.linkedIn", "suspensions.until"])
    .where("posts.id", "=", id),
);

/** @throws NotFound, also for a draft that the viewer may not read. */
export async function readPost(site: Site, viewer: Viewer, id: string): Promise<Post> {
  const [row] = await queryPost(site, { id, viewerId: viewer?.id ?? "" });
  if (!row || !(await isReadable(site, viewer, row))) throw new NotFound();
  await recordDraftAccess(site, viewer, row);
  const reactions = { liked: row.liked !== null, bookmarked: row.bookmarked !== null };
  const { profileId, bio, location, website, twitter, github, linkedIn, until, number: _number, heldBy: _heldBy, ...post } = row;
  const notice = row.status === "inactive" ? await findPostNotice(site, id) : null;
  const text = { bio: bio ?? "", location: location ?? "", website: website ?? "" };
  const isHidden = profileId === null || (until !== null && until > site.now());
  const author = isHidden ? null : { ...text, twitter: twitter ?? "", github: github ?? "", linkedIn: linkedIn ?? "" };
  return { ...post, ...reactions, author, notice };
}

function has(eb: ExpressionBuilder<Tables, "posts">, table: "likes" | "bookmarks", userId: string) {
  return eb.selectFrom(table).select(`${table}.postId`).whereRef(`${table}.postId`, "=", "posts.id").where(`${table}.userId`, "=", userId);
}
