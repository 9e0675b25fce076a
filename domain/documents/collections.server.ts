import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Engine } from "#platform/database/engine.ts";
import { contains, containsWord } from "#platform/database/search/contains.ts";
import { newestOfAll, type SearchField, searchTerms } from "#platform/database/search/search.ts";
import type { ListName } from "../changes.ts";
import { may } from "../permissions.ts";
import type { PostStatus } from "../posts/post.ts";
import { createdAt } from "../search/cards.server.ts";
import type { Viewer } from "../site.ts";
import { attribute, attributes, byAge, byAgeOnly, type Collection, column, noRows, otherMember, type Search } from "./collection.server.ts";
import type { DocumentQuery, Filter } from "./document.ts";
import { files, follows, profiles, reports } from "./member-collections.server.ts";
import { conversations, messages } from "./message-collections.server.ts";

const isActive = sql<SqlBool>`posts.status = 'active'`;

function readablePosts(viewer: Viewer, active = isActive): RawBuilder<SqlBool> | undefined {
  if (may(viewer, "read a draft", otherMember)) return undefined;
  const published = may(viewer, "read a published story") ? active : noRows;
  // Without `or`, which would keep an index that begins with the status from serving the order.
  if (!viewer) return published;
  const own = may(viewer, "read a draft", viewer.id) ? sql<SqlBool>`posts."userId" = ${viewer.id}` : noRows;
  // As `or`, SQLite would read and sort all of them by several indexes. PostgreSQL's planner makes it an `or` again.
  return sql<SqlBool>`not (not ${published} and not ${own})`;
}

const maxSearched = 1_000;
const authorName = sql`coalesce(profiles."userName", posts."userName")`;

/** Lower case as in both engines: only A to Z. */
function phrasesIn(text: string): string[] {
  const phrases = [...text.matchAll(/"([^"]+)"/g)].map(([, phrase = ""]) => phrase.trim().replace(/\s+/g, " "));
  return phrases.filter((phrase) => phrase !== "").map((phrase) => phrase.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
}

type SearchColumns = { words: "searchTitle" | "searchAuthor" | "searchText"; text: RawBuilder<unknown> };

/** Each word and phrase must occur in the column; the index only finds posts that have the words somewhere. */
function searchIn({ words: name, text: whole }: SearchColumns, place: SearchField): Search {
  const holds: Search["contains"] = (engine, text) => {
    const words = searchTerms(text).map(({ forms: [word = ""], isPrefix }) =>
      containsWord(engine, sql.ref(`posts.${name}`), word, isPrefix),
    );
    const line = sql`lower(replace(${whole}, ${"\n"}, ' ') collate ${sql.raw(engine === "sqlite" ? "binary" : '"C"')})`;
    const phrases = phrasesIn(text).map((phrase) => contains(engine, line, phrase));
    return words.length === 0 ? noRows : sql<SqlBool>`(${sql.join([...words, ...phrases], sql` and `)})`;
  };
  const candidates = (engine: Engine, text: string) => {
    const terms = searchTerms(text);
    if (terms.length === 0) return noRows;
    return sql<SqlBool>`posts.number in (${newestOfAll(engine, terms, maxSearched, place)})`;
  };
  return {
    column: (text) => (phrasesIn(text).length > 0 ? whole : column(`posts.${name}`)),
    contains: holds,
    scansPerRow: (text) => searchTerms(text).length + phrasesIn(text).length,
    candidates,
    find: (engine, text) => sql<SqlBool>`(${candidates(engine, text)} and ${holds(engine, text)})`,
  };
}

const posts: Collection = {
  source: sql`posts left join profiles on profiles."userId" = posts."userId"`,
  id: column("posts.id"),
  sequence: column("posts.number"),
  createdAt,
  updatedAt: column("posts.updatedAt"),
  ownerId: column("posts.userId"),
  isPublic: isActive,
  tieBreakers: [column("posts.number")],
  attributes: {
    title: { ...attribute("text", "posts.title"), search: searchIn({ words: "searchTitle", text: column("posts.title") }, "title") },
    content: {
      ...attribute("text", "posts.content"),
      search: searchIn({ words: "searchText", text: column("posts.plainText") }, "anywhere"),
    },
    ...attributes("text", "posts", ["featuredImage", "status", "userId"]),
    userName: { type: "text", column: authorName, search: searchIn({ words: "searchAuthor", text: authorName }, "author") },
    ...attributes("boolean", "posts", ["featured", "pinned"]),
    ...attributes("number", "posts", ["views", "likesCount", "bookmarksCount"]),
    ...attributes("time", "posts", ["publishedAt"]),
  },
  selectiveAttributes: ["$id", "userId"],
  rangeIndexedAttributes: [...byAge, "$id", "title", "status", "featured", "pinned", "publishedAt"],
  partialIndexFlags: ["featured", "pinned"],
  indexedOrders: [...byAgeOnly, "title", "publishedAt"],
  indexedOrdersWhenSelective: ["$createdAt", "publishedAt"],
  indexedOrdersPerStatus: ["title", "publishedAt"],
  longAttribute: "content",
  readable: readablePosts,
  mayReceive(viewer, { ownerId, isPublic, attributes }) {
    const owner = ownerId ?? "";
    // Reading a draft has to be recorded, so staff get no event with its text; delete events have none.
    if (!isPublic && viewer?.id !== owner && Object.hasOwn(attributes, "content")) return false;
    return may(viewer, isPublic ? "read a published story" : "read a draft", owner);
  },
};

const rankedPosts: Collection = {
  ...posts,
  source: sql`rankings inner join posts on posts.number = rankings.number left join profiles on profiles."userId" = posts."userId"`,
  tieBreakers: [column("rankings.number")],
  attributes: { ...posts.attributes, views: attribute("number", "rankings.views"), likesCount: attribute("number", "rankings.likes") },
  rangeIndexedAttributes: [...posts.rangeIndexedAttributes, "views", "likesCount"],
  indexedOrders: ["views", "likesCount"],
  indexedOrdersWhenSelective: [],
};

/** Without an index on the status, so that a member's drafts are found by their author, not among the drafts of all. */
const ownDrafts: Collection = {
  ...posts,
  attributes: { ...posts.attributes, status: { type: "text", column: sql`posts.status || ''` } },
  isOwn: true,
  readable: (viewer) => (viewer && may(viewer, "read a draft", viewer.id) ? sql<SqlBool>`posts."userId" = ${viewer.id}` : noRows),
};

type Readers = Pick<Collection, "readable" | "mayReceive">;

function reactions(table: "likes" | "bookmarks", isPublic: boolean, readers: Readers): Collection {
  return {
    source: sql`${sql.table(table)} inner join posts on posts.id = ${sql.ref(`${table}.postId`)}`,
    id: column(`${table}.id`),
    sequence: column(`${table}.createdAt`),
    createdAt: column(`${table}.createdAt`),
    updatedAt: column(`${table}.createdAt`),
    ownerId: column(`${table}.userId`),
    isPublic: isPublic ? isActive : sql`false`,
    tieBreakers: [column(`${table}.createdAt`), column(`${table}.id`)],
    attributes: attributes("text", table, ["postId", "userId"]),
    selectiveAttributes: ["$id", "postId", "userId"],
    rangeIndexedAttributes: [...byAge, "$id"],
    isOwn: !isPublic,
    ...readers,
  };
}

/** An expression without an index: otherwise SQLite begins with all published posts instead of the newest likes. */
const isActiveBeside = sql<SqlBool>`posts.status || '' = 'active'`;

function readableBookmarks(viewer: Viewer): RawBuilder<SqlBool> {
  if (!viewer || !may(viewer, "see own bookmarks", viewer.id)) return noRows;
  const own = sql<SqlBool>`bookmarks."userId" = ${viewer.id}`;
  const ofReadablePosts = readablePosts(viewer, isActiveBeside);
  return ofReadablePosts ? sql<SqlBool>`(${own} and ${ofReadablePosts})` : own;
}

const likes = reactions("likes", true, {
  readable: (viewer) => readablePosts(viewer, isActiveBeside),
  mayReceive: (viewer, { isPublic }) => may(viewer, isPublic ? "read a published story" : "read a draft", otherMember),
});

/** Specification §3. */
export const adjustedLikePrefix = "admin_fake_user_";

/** Likes of a post including those that administrators have added. */
export const adjustedLikes: Collection = {
  ...likes,
  source: sql`(select id, "postId", "userId", "createdAt", "userId" as "ownerId" from likes
    union all select "userId", "postId", "userId", "createdAt", null from adjusted_likes) likes
    inner join posts on posts.id = likes."postId"`,
  ownerId: column("likes.ownerId"),
};

const bookmarks = reactions("bookmarks", false, {
  readable: readableBookmarks,
  mayReceive: (viewer, { ownerId }) => may(viewer, "see own bookmarks", ownerId ?? ""),
});

export const collections: Record<ListName, Collection> = {
  posts,
  profiles,
  likes,
  bookmarks,
  messages,
  conversations,
  follows,
  reports,
  files,
};

export function collectionFor(name: ListName, viewer: Viewer, { filters, orders }: Pick<DocumentQuery, "filters" | "orders">): Collection {
  const [first] = orders;
  const isRanked = name === "posts" && (first?.attribute === "views" || first?.attribute === "likesCount");
  if (isRanked && requestsStatus(filters, "active")) return rankedPosts;
  const isOwn = name === "posts" && requestsStatus(filters, "inactive") && !may(viewer, "read a draft", otherMember);
  return isOwn ? ownDrafts : collections[name];
}

export function requestsDrafts(viewer: Viewer, { filters, select, orders }: DocumentQuery): boolean {
  if (!viewer || !may(viewer, "read a draft", otherMember) || requestsStatus(filters, "active") || requestsOwn(filters, viewer.id))
    return false;
  const isSelected = !select || select.includes("*") || select.includes("content");
  return isSelected || [filters, orders].some((part) => JSON.stringify(part).includes('"attribute":"content"'));
}

function requestsOwn(filters: Filter[], userId: string): boolean {
  return filters.some(
    (each) => "values" in each && each.method === "equal" && each.attribute === "userId" && each.values.every((value) => value === userId),
  );
}

function requestsStatus(filters: Filter[], status: PostStatus): boolean {
  return filters.some(
    (each) => "values" in each && each.method === "equal" && each.attribute === "status" && each.values.join() === status,
  );
}

/** Whether all members get the same answer, so that it may be cached for them. Not profiles: staff also see suspended ones. */
export function isSameForAll(name: ListName, { filters, cursor }: Pick<DocumentQuery, "filters" | "cursor">): boolean {
  // A cursor may be a document that only its owner may read.
  return name === "posts" && !cursor && requestsStatus(filters, "active");
}
