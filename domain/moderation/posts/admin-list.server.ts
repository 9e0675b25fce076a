import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { readCounter } from "#domain/counters/counters.server.ts";
import { type NumberedPage, type PageWindow, pageOfAll, planPage, rowsOfPage } from "#domain/numbered-pages.ts";
import { may, requirePermission } from "#domain/permissions.ts";
import type { PostStatus } from "#domain/posts/post.ts";
import { isReadable } from "#domain/readable-posts.server.ts";
import { NotFound } from "#domain/refusals.ts";
import { createdAt } from "#domain/search/cards.server.ts";
import { maxLookedUp, newestMatching } from "#domain/search/matching.server.ts";
import type { Member, Site, Viewer } from "#domain/site.ts";
import { isAboutViewer, markOwnCases } from "#domain/staff/own-cases.server.ts";
import type { Tables } from "#platform/database/schema.ts";
import { containsTerms, type SearchTerm, searchTerms } from "#platform/database/search/search.ts";
import { type AdminPost, type AdminSort, maxBulkPosts } from "./moderation.ts";
import { countMarked, countPosts, type PostTotals } from "./post-totals.server.ts";

/** Deleted stories are listed under `deleted` only. */
type AdminStatus = PostStatus | "held" | "deleted" | "all";

export type AdminPostQuery = {
  search: string;
  status: AdminStatus;
  featured: "true" | "false" | "all";
  sort: AdminSort;
} & NumberedPage;

/** `total` counts all stories of the filters, a search 250 at most. `isMore`: there may be others. */
export type AdminPage = { posts: AdminPost[]; total: number; page: number; isMore: boolean };

const maxSearchMatches = 250;

/** When a story was published, or a draft created: each status has an index in this order. */
const dates = { active: sql.ref<number>("posts.publishedAt"), inactive: createdAt };
const date = sql<number>`case when posts.status = 'active' then ${dates.active} else ${dates.inactive} end`;

export async function countForAdmin(site: Site, viewer: Viewer): Promise<PostTotals> {
  requirePermission(viewer, "moderate stories");
  return countPosts(site);
}

/** Which of the stories a moderator has hidden. */
export async function listHidden(site: Site, viewer: Viewer, ids: string[]): Promise<Pick<AdminPost, "id" | "title" | "held">[]> {
  requirePermission(viewer, "moderate stories");
  return site.db
    .selectFrom("posts")
    .innerJoin("moderation_actions", "moderation_actions.id", "posts.heldBy")
    .select(["posts.id", "posts.title", "moderation_actions.kind as held"])
    .where("posts.id", "in", ids.slice(0, maxBulkPosts))
    .execute();
}

/** For moderators, who may not see drafts, all stories are the published ones. */
export async function listForAdmin(site: Site, viewer: Viewer, query: AdminPostQuery): Promise<AdminPage> {
  requirePermission(viewer, "moderate stories");
  const listing = may(viewer, "read a draft") || query.status !== "all" ? query : { ...query, status: "active" as const };
  if (listing.status === "inactive") requirePermission(viewer, "read a draft");
  const terms = searchTerms(listing.search);
  if (terms.length > 0) return searchPosts(site, viewer, listing, terms);
  if (listing.status === "held" || listing.status === "deleted") return listFiltered(site, viewer, listing, { condition: isHidden });
  if (listing.featured === "true") return listFiltered(site, viewer, listing, { condition: isFeatured });
  const scannable = { ...listing, status: listing.status };
  const total = await countListed(site, scannable);
  const pageWindow = await planPage(listing, total, (id) => findPlace(site, id, listing.sort));
  const rows = rowsOfPage((await listKeys(site, scannable, pageWindow)).slice(pageWindow.skip), pageWindow);
  return { posts: await readPosts(site, viewer, numbersOf(rows)), total, page: pageWindow.page, isMore: false };
}

const isHidden = sql<SqlBool>`posts."heldBy" is not null`;
/** A literal, as in the condition of the index. */
const isFeatured = sql<SqlBool>`posts.featured = ${sql.lit(true)}`;
const isNewDraft = sql<SqlBool>`posts.number in (
  select number from posts where status = 'inactive' order by ${createdAt} desc, number desc limit ${sql.lit(maxLookedUp)})`;

/** Looks among the newest matches. If there are older ones, which a filter may want, it searches each story of a short list instead. */
async function searchPosts(site: Site, viewer: Member, listing: AdminPostQuery, terms: SearchTerm[]): Promise<AdminPage> {
  const { status, featured } = listing;
  const isUnfiltered = status === "all" && featured === "all";
  const newest = await newestMatching(site, terms, isUnfiltered ? maxSearchMatches : maxLookedUp);
  const short = shortList(listing);
  if (!newest.isPart || !short) return listFiltered(site, viewer, listing, newest);
  const isPart = short === isNewDraft && (await readCounter(site, "drafts")) > maxLookedUp;
  return listFiltered(site, viewer, listing, { condition: sql<SqlBool>`${short} and ${containsTerms(site.engine, terms)}`, isPart });
}

function shortList({ status, featured }: AdminPostQuery): RawBuilder<SqlBool> | undefined {
  if (status === "held" || status === "deleted") return isHidden;
  if (featured === "true") return isFeatured;
  return status === "inactive" ? isNewDraft : undefined;
}

async function listFiltered(
  site: Site,
  viewer: Member,
  listing: AdminPostQuery,
  { condition, isPart = false }: { condition: RawBuilder<SqlBool>; isPart?: boolean },
): Promise<AdminPage> {
  const { sort, status, featured } = listing;
  let query = site.db.selectFrom("posts").select("number").where(condition);
  if (status === "active" || status === "inactive") query = query.where("status", "=", status);
  query = query.where(unlessHidden[status]);
  if (featured !== "all") query = query.where("featured", "=", sql.lit(featured === "true"));
  const { column, direction } = orders[sort];
  const all = await query
    .orderBy(column === "date" ? date : column, direction)
    .orderBy("number", direction)
    .limit(maxSearchMatches)
    .execute();
  const { page, rows } = pageOfAll(all, listing);
  const isMore = isPart || all.length === maxSearchMatches;
  return { posts: await readPosts(site, viewer, numbersOf(rows)), total: all.length, page, isMore };
}

const orders = {
  newest: { column: "date", direction: "desc" },
  oldest: { column: "date", direction: "asc" },
  title: { column: "searchTitle", direction: "asc" },
  likes: { column: "likesCount", direction: "desc" },
  views: { column: "views", direction: "desc" },
} as const;

async function countListed(site: Site, { status, featured }: PagedPostQuery): Promise<number> {
  const totals = await countPosts(site);
  const all = { active: totals.published, inactive: totals.drafts, all: totals.published + totals.drafts + totals.held }[status];
  return featured === "all" ? all : all - (await countFeatured(site, status));
}

function countFeatured(site: Site, status: PagedPostQuery["status"]): Promise<number> {
  const shown = unlessHidden[status];
  return countMarked(site, "featured", status === "all" ? shown : sql<boolean>`${shown} and status = ${status}`);
}

/** No join, with which PostgreSQL would not read in the order of the index. */
const hiding = sql<string | null>`(select kind from moderation_actions as hiding where hiding.id = posts."heldBy")`;

const unlessHidden: Record<AdminStatus, RawBuilder<boolean>> = {
  all: sql<boolean>`(posts."heldBy" is null or ${hiding} <> 'delete')`,
  active: sql<boolean>`posts."heldBy" is null`,
  inactive: sql<boolean>`posts."heldBy" is null`,
  held: sql<boolean>`${hiding} = 'hold'`,
  deleted: sql<boolean>`${hiding} = 'delete'`,
};

type PagedPostQuery = AdminPostQuery & { status: Exclude<AdminStatus, "held" | "deleted"> };

type SortPosition = { key: string | number; number: number };

function numbersOf(rows: { number: number }[]): number[] {
  return rows.map(({ number }) => number);
}

async function findPlace(site: Site, id: string, sort: AdminSort): Promise<SortPosition | undefined> {
  const { column } = orders[sort];
  const row = await site.db
    .selectFrom("posts")
    .select(["number", (column === "date" ? date : sql.ref(column)).as("key")])
    .where("id", "=", id)
    .executeTakeFirst();
  return row as SortPosition | undefined;
}

/** Each status has its own index, so two short scans are merged. The story at `from` itself is included forwards only. */
async function listKeys(site: Site, listing: PagedPostQuery, pageWindow: PageWindow<SortPosition>): Promise<SortPosition[]> {
  const statuses = listing.status === "all" ? (["active", "inactive"] as const) : [listing.status];
  const found = await Promise.all(statuses.map((status) => walkStatus(site, status, listing, pageWindow)));
  const falling = (orders[listing.sort].direction === "desc") !== pageWindow.backwards;
  const sign = falling ? -1 : 1;
  return found
    .flat()
    .sort((a, b) => sign * (compare(a.key, b.key) || a.number - b.number))
    .slice(0, pageWindow.take);
}

/** Compares bytes, as both engines do. */
function compare(a: string | number, b: string | number): number {
  return typeof a === "number" ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
}

async function walkStatus(
  site: Site,
  status: PostStatus,
  { sort, featured, status: statusFilter }: PagedPostQuery,
  { from, backwards, take }: PageWindow<SortPosition>,
): Promise<SortPosition[]> {
  const { column, direction } = orders[sort];
  // Likes and views have tables of their own, with indexes.
  const ranked = sort === "likes" || sort === "views";
  const key = ranked ? sql.ref(`rankings.${sort}`) : column === "date" ? dates[status] : sql.ref(`posts.${column}`);
  const number = ranked ? ("rankings.number" as const) : ("posts.number" as const);
  const source = ranked ? joinRankings(site, status) : site.db.selectFrom("posts").where("posts.status", "=", status);
  let query = (source as unknown as SelectQueryBuilder<Tables, "posts" | "rankings", object>).select([
    `${number} as number`,
    key.as("key"),
  ]);
  query = query.where(unlessHidden[statusFilter]);
  if (featured === "false") query = query.where("posts.featured", "=", sql.lit(false));
  const falling = (direction === "desc") !== backwards;
  if (from) {
    const side = sql.raw(`${falling ? "<" : ">"}${backwards ? "" : "="}`);
    query = query.where(sql<SqlBool>`(${key}, ${sql.ref(number)}) ${side} (${from.key}, ${from.number})`);
  }
  const order = falling ? "desc" : "asc";
  return (await query.orderBy(key, order).orderBy(number, order).limit(take).execute()) as SortPosition[];
}

function joinRankings({ db }: Site, status: PostStatus) {
  if (status === "active") return db.selectFrom("rankings").innerJoin("posts", "posts.number", "rankings.number");
  return db.selectFrom("draft_rankings as rankings").innerJoin("posts", "posts.number", "rankings.number");
}

/** @throws NotFound, also for a draft that the viewer may not read. */
export async function findForAdmin(site: Site, viewer: Viewer, id: string): Promise<AdminPost> {
  requirePermission(viewer, "moderate stories");
  const columns = ["number", "id", "status", "userId", "heldBy", "updatedAt"] as const;
  const row = await site.db.selectFrom("posts").select(columns).where("id", "=", id).executeTakeFirst();
  const [post] = row && (await isReadable(site, viewer, row)) ? await readPosts(site, viewer, [row.number]) : [];
  if (!post) throw new NotFound();
  return post;
}

async function readPosts(site: Site, viewer: Member, numbers: number[]): Promise<AdminPost[]> {
  if (numbers.length === 0) return [];
  const rows = await site.db
    .selectFrom("posts")
    .leftJoin("profiles", "profiles.userId", "posts.userId")
    .leftJoin("moderation_actions", "moderation_actions.id", "posts.heldBy")
    .select(["posts.number", "posts.id", "posts.title", "posts.userId", "posts.featuredImage", "posts.status", "posts.featured"])
    .select(["posts.pinned", "posts.likesCount", "posts.adjustedLikes", "posts.views", date.as("date"), "moderation_actions.kind as held"])
    .select("moderation_actions.moderatorId")
    .select((eb) => eb.fn.coalesce("profiles.userName", "posts.userName").as("userName"))
    .where("posts.number", "in", numbers)
    .execute();
  const isOwn = ({ held, userId, moderatorId }: (typeof rows)[number]) =>
    held !== null && isAboutViewer(viewer, { memberId: userId, moderatorId });
  const marked = await markOwnCases(site, viewer, rows, isOwn);
  const byNumber = new Map(marked.map(({ number, moderatorId: _by, ...post }) => [number, post]));
  return numbers.flatMap((number) => byNumber.get(number) ?? []);
}
