import { sql } from "kysely";
import { storyCards } from "#domain/search/cards.server.ts";
import { newestPage, type PostListPage, readNewestCursor } from "#domain/search/lists.server.ts";
import { matching } from "#domain/search/matching.server.ts";
import { isBeyond } from "#platform/database/keyset.ts";
import { type SearchTerm, searchTerms } from "#platform/database/search/search.ts";
import { mustBeAllowed } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";

type FeedRequest = { limit: number; after?: string | null | undefined; search?: string | undefined };
type Place = readonly [publishedAt: number, number: number];

/**
 * Published stories of those whom the viewer follows, newest first.
 *
 * Anyone who has a story on a page has the latest of their stories on it as well; so a page of twelve comes from the twelve
 * members whose latest stories are the newest. One look into the index finds each member's latest, and then twelve short
 * reads bring the page: the number of members costs a little, the number of stories nothing.
 * @throws SignInFirst.
 */
export async function listFollowedPosts(site: Site, viewer: Viewer, { limit, after, search = "" }: FeedRequest): Promise<PostListPage> {
  mustBeAllowed(viewer, "see own follows", viewer?.id);
  const from = readNewestCursor(after);
  const terms = searchTerms(search);
  if (terms.length > 0) return findFollowedPosts(site, viewer.id, { terms, from, limit });
  const authors = await latestAuthors(site, viewer.id, limit + 1, from);
  if (authors.length === 0) return { posts: [], next: null };
  const numbers = await newestOf(site, authors, limit + 1, from);
  const rows = await storyCards(site)
    .where("posts.number", "in", numbers)
    .orderBy("posts.publishedAt", "desc")
    .orderBy("posts.number", "desc")
    .execute();
  return newestPage(rows, limit);
}

type Search = { terms: SearchTerm[]; from: Place | undefined; limit: number };

async function findFollowedPosts(site: Site, userId: string, { terms, from, limit }: Search): Promise<PostListPage> {
  const found = storyCards(site)
    .innerJoin("follows", "follows.followedId", "posts.userId")
    .where("follows.followerId", "=", userId)
    .where("posts.status", "=", "active")
    .where(await matching(site, terms));
  const onwards = from ? found.where(isBeyond([sql.ref("posts.publishedAt"), sql.ref("posts.number")], from)) : found;
  const rows = await onwards
    .orderBy("posts.publishedAt", "desc")
    .orderBy("posts.number", "desc")
    .limit(limit + 1)
    .execute();
  return newestPage(rows, limit);
}

async function latestAuthors(site: Site, userId: string, limit: number, from: Place | undefined): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    select f."followedId" as "userId"
    from follows f join posts p on p.number = (
      select number from posts where "userId" = f."followedId" and ${publishedBefore(from)} ${newestFirst} limit 1)
    where f."followerId" = ${userId}
    order by p."publishedAt" desc, p.number desc limit ${limit}`.execute(site.db);
  return rows.map((row) => row.userId);
}

async function newestOf(site: Site, authors: string[], limit: number, from: Place | undefined): Promise<number[]> {
  const each = authors.map(
    (author) => sql`select * from (
      select number, "publishedAt" from posts where "userId" = ${author} and ${publishedBefore(from)} ${newestFirst} limit ${limit}) newest`,
  );
  const all = sql.join(each, sql` union all `);
  const { rows } = await sql<{ number: number }>`select number, "publishedAt" from (${all}) stories ${newestFirst} limit ${limit}`.execute(
    site.db,
  );
  return rows.map(({ number }) => Number(number));
}

const newestFirst = sql`order by "publishedAt" desc, number desc`;

function publishedBefore(from: Place | undefined) {
  const published = sql`status = 'active'`;
  return from ? sql`${published} and ${isBeyond([sql.ref("publishedAt"), sql.ref("number")], from)}` : published;
}
