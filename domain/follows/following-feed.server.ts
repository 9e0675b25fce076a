import { sql } from "kysely";
import { postCards } from "#domain/search/cards.server.ts";
import { newestCards, newestPage, type Paging, type PostListPage, readNewestCursor } from "#domain/search/lists.server.ts";
import { matching } from "#domain/search/matching.server.ts";
import { isBeyond } from "#platform/database/keyset.ts";
import { type SearchTerm, searchTerms } from "#platform/database/search/search.ts";
import { isVisibleActor } from "../notifications/bundle-sources.server.ts";
import { requirePermission } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";

type FeedRequest = Paging & { search?: string | undefined };
type FeedPosition = readonly [publishedAt: number, number: number];

/**
 * Newest first. A page's authors all have their latest story on it or above, so only the `limit` authors with the newest stories are read:
 * the cost depends on the number of authors, not of stories. @throws SignInRequired.
 */
export async function listFollowedPosts(site: Site, viewer: Viewer, { search = "", ...paging }: FeedRequest): Promise<PostListPage> {
  requirePermission(viewer, "see own follows", viewer?.id);
  const terms = searchTerms(search);
  if (terms.length > 0) return findFollowedPosts(site, viewer.id, terms, paging);
  const { limit, after } = paging;
  return newestPage(await readNewest(site, viewer.id, { limit: limit + 1, from: readNewestCursor(after) }), limit);
}

type NewPostsFilter = { since: number; onlyUnread: boolean };
type Part = { limit: number; from: FeedPosition | undefined; news?: NewPostsFilter };

/** Stories published after the viewer followed their authors, newest first; without blocked and suspended authors. */
export function listNewFollowedPosts(site: Site, viewer: Viewer, { limit, from, ...news }: Omit<Part, "news"> & NewPostsFilter) {
  requirePermission(viewer, "see own follows", viewer?.id);
  return readNewest(site, viewer.id, { limit, from, news });
}

async function readNewest(site: Site, userId: string, part: Part) {
  const authors = await latestAuthors(site, userId, part);
  if (authors.length === 0) return [];
  const numbers = await newestOf(site, userId, authors, part);
  return postCards(site)
    .where("posts.number", "in", numbers)
    .orderBy("posts.publishedAt", "desc")
    .orderBy("posts.number", "desc")
    .execute();
}

async function findFollowedPosts(site: Site, userId: string, terms: SearchTerm[], paging: Paging): Promise<PostListPage> {
  const found = postCards(site)
    .innerJoin("follows", "follows.followedId", "posts.userId")
    .where("follows.followerId", "=", userId)
    .where("posts.status", "=", "active")
    .where(await matching(site, terms));
  return newestCards(found, paging);
}

type FollowedWriter = { userId: string; followedAt: number | string };

/** Old stories are filtered afterwards: with a time range SQLite would use the index over all authors. */
async function latestAuthors({ db, now }: Site, userId: string, { limit, from, news }: Part): Promise<FollowedWriter[]> {
  const isNews = news
    ? sql`and p."publishedAt" > f."createdAt" and p."publishedAt" > ${news.since} and ${isVisibleActor(sql.ref("f.followedId"), userId, now())}`
    : sql``;
  const { rows } = await sql<FollowedWriter>`
    select f."followedId" as "userId", f."createdAt" as "followedAt"
    from follows f join posts p on p.number = (
      select number from posts where "userId" = f."followedId" and ${publishedBefore(from)} ${unlessOpened(news, userId)}
      ${newestFirst} limit 1)
    where f."followerId" = ${userId} ${isNews}
    order by p."publishedAt" desc, p.number desc limit ${limit}`.execute(db);
  return rows;
}

async function newestOf(site: Site, userId: string, authors: FollowedWriter[], { limit, from, news }: Part): Promise<number[]> {
  const scans = authors.map((author) => {
    const since = news ? Math.max(news.since, Number(author.followedAt)) : -1;
    return sql`select * from (
      select number, "publishedAt" from posts where "userId" = ${author.userId} and ${publishedBefore(from)} ${unlessOpened(news, userId)}
        ${newestFirst} limit ${limit}) newest where "publishedAt" > ${since}`;
  });
  const all = sql.join(scans, sql` union all `);
  const { rows } = await sql<{ number: number }>`select number, "publishedAt" from (${all}) stories ${newestFirst} limit ${limit}`.execute(
    site.db,
  );
  return rows.map(({ number }) => Number(number));
}

const newestFirst = sql`order by "publishedAt" desc, number desc`;

function publishedBefore(from: FeedPosition | undefined) {
  const published = sql`status = 'active'`;
  return from ? sql`${published} and ${isBeyond([sql.ref("publishedAt"), sql.ref("number")], from)}` : published;
}

function unlessOpened(news: NewPostsFilter | undefined, userId: string) {
  if (!news?.onlyUnread) return sql``;
  return sql`and not exists (select 1 from notifications where notifications."userId" = ${userId}
    and notifications."postId" = posts.id and notifications.kind = 'story')`;
}
