import { type ExpressionBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Tables } from "#platform/database/schema.ts";
import { forgiveSlips, matchesTerms, relevance, type SearchTerm, searchTerms } from "#platform/database/search.ts";
import { may, mustBeAllowed } from "../permissions.ts";
import { NotFound } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import type { Story, StoryCard } from "./post.ts";

/** One page of a list; `next` is the cursor of the following page, null on the last one. */
export type StoryPage = { posts: StoryCard[]; next: string | null };

type Paging = { limit: number; after?: string | null | undefined };

/** Published stories, newest first; `search` keeps those that hold its words. */
export function listLatest(
  site: Site,
  { search, authorId, ...paging }: Paging & { search?: string | undefined; authorId?: string },
): Promise<StoryPage> {
  let query = cards(site).where("posts.status", "=", "active");
  const terms = search ? searchTerms(search) : [];
  if (terms.length > 0) query = query.where(matchesTerms(site.engine, terms));
  if (authorId) query = query.where("posts.userId", "=", authorId);
  return page(query, paging);
}

/**
 * The published stories that answer a search best: a word counts most in the title, less in the author's name, least in
 * the text; newest first among equals. When no story holds the words as they are typed, slips in them are forgiven.
 */
export async function searchStories(site: Site, { text, limit }: { text: string; limit: number }): Promise<StoryCard[]> {
  const terms = searchTerms(text);
  if (terms.length === 0) return [];
  const found = await best(site, terms, limit);
  const forgiven = found.length > 0 ? undefined : await forgiveSlips(site.db, site.engine, terms);
  return forgiven ? best(site, forgiven, limit) : found;
}

async function best(site: Site, terms: SearchTerm[], limit: number): Promise<StoryCard[]> {
  const rows = await cards(site)
    .where("posts.status", "=", "active")
    .where(matchesTerms(site.engine, terms))
    .orderBy(relevance(site.engine, terms), "desc")
    .orderBy("posts.createdAt", "desc")
    .orderBy("posts.number", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ number: _number, ...card }) => card);
}

/** The viewer's own drafts, newest first. */
export async function listDrafts(site: Site, viewer: Viewer, paging: Paging): Promise<StoryPage> {
  mustBeAllowed(viewer, "read a draft", viewer?.id);
  return page(cards(site).where("posts.userId", "=", viewer.id).where("posts.status", "=", "inactive"), paging);
}

/** Stories that an administrator has featured, newest first. */
export async function listFeatured(site: Site, limit: number): Promise<StoryCard[]> {
  const featured = cards(site).where("posts.status", "=", "active").where("posts.featured", "=", sql.lit(true));
  return (await page(featured, { limit })).posts;
}

/** Stories that an administrator has pinned, newest first. */
export async function listPinned(site: Site, limit: number): Promise<StoryCard[]> {
  const pinned = cards(site).where("posts.status", "=", "active").where("posts.pinned", "=", sql.lit(true));
  return (await page(pinned, { limit })).posts;
}

/** How many stories are published, by everybody or by one author. */
export async function countPublished(site: Site, authorId?: string): Promise<number> {
  const published = site.db
    .selectFrom("posts")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("status", "=", "active");
  const { count } = await (authorId ? published.where("userId", "=", authorId) : published).executeTakeFirstOrThrow();
  return count;
}

/**
 * A story with its author for the reading page.
 * @throws NotFound also for a draft that the viewer may not read: it does not exist for them.
 */
export async function readStory(site: Site, viewer: Viewer, id: string): Promise<Story> {
  const row = await cards(site)
    .select((eb) => [has(eb, "likes", viewer?.id).as("liked"), has(eb, "bookmarks", viewer?.id).as("bookmarked")])
    .select(["posts.content", "profiles.userId as profileId", "profiles.bio", "profiles.location"])
    .select(["profiles.website", "profiles.twitter", "profiles.github", "profiles.linkedIn"])
    .where("posts.id", "=", id)
    .executeTakeFirst();
  if (!row) throw new NotFound();
  if (!may(viewer, row.status === "active" ? "read a published story" : "read a draft", row.userId)) throw new NotFound();
  const reactions = { liked: row.liked !== null, bookmarked: row.bookmarked !== null };
  const { profileId, bio, location, website, twitter, github, linkedIn, number: _number, ...story } = row;
  const text = { bio: bio ?? "", location: location ?? "", website: website ?? "" };
  const author = profileId ? { ...text, twitter: twitter ?? "", github: github ?? "", linkedIn: linkedIn ?? "" } : null;
  return { ...story, ...reactions, author };
}

/** The viewer's own like or bookmark of the story in the row, if there is one. */
function has(eb: ExpressionBuilder<Tables, "posts">, table: "likes" | "bookmarks", userId = "") {
  return eb.selectFrom(table).select(`${table}.postId`).whereRef(`${table}.postId`, "=", "posts.id").where(`${table}.userId`, "=", userId);
}

function cards(site: Site) {
  return site.db
    .selectFrom("posts")
    .leftJoin("profiles", "profiles.userId", "posts.userId")
    .select(["posts.number", "posts.id", "posts.title", "posts.summary", "posts.words", "posts.featuredImage", "posts.userId"])
    .select(["posts.status", "posts.featured", "posts.pinned", "posts.views", "posts.likesCount", "posts.createdAt", "posts.updatedAt"])
    .select((eb) => ["profiles.profileImage", eb.fn.coalesce("profiles.userName", "posts.userName").as("userName")]);
}

type Numbered = StoryCard & { number: number };

/** Newest first, cut by date and number rather than by offset: the thousandth page costs what the first does. */
async function page(query: SelectQueryBuilder<Tables, "posts", Numbered>, { limit, after }: Paging): Promise<StoryPage> {
  const from = after ? readCursor(after) : undefined;
  const onwards = from
    ? query.where((eb) => eb(eb.refTuple("posts.createdAt", "posts.number"), "<", eb.tuple(from.createdAt, from.number)))
    : query;
  const rows = await onwards
    .orderBy("posts.createdAt", "desc")
    .orderBy("posts.number", "desc")
    .limit(limit + 1)
    .execute();
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const posts = rows.slice(0, limit).map(({ number: _number, ...card }) => card);
  return { posts, next: last ? `${last.createdAt}-${last.number}` : null };
}

/** A cursor that was tampered with starts at the beginning. */
function readCursor(cursor: string): { createdAt: number; number: number } | undefined {
  const [, createdAt, number] = /^(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  return createdAt && number ? { createdAt: Number(createdAt), number: Number(number) } : undefined;
}
