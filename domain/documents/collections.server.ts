import { type RawBuilder, type SqlBool, sql } from "kysely";
import { contains, containsWord } from "#platform/database/contains.ts";
import type { Engine } from "#platform/database/engine.ts";
import { newestOfAll, type Place, searchTerms } from "#platform/database/search.ts";
import { fold } from "../fold.ts";
import { may } from "../permissions.ts";
import type { Viewer } from "../site.ts";
import type { Attribute, AttributeType, Collection, Search } from "./collection.ts";
import type { DocumentQuery, Filter, ListName } from "./document.ts";

const column = (name: string) => sql.ref(name);
const attribute = (type: AttributeType, name: string): Attribute => ({ type, column: column(name) });
const attributes = (type: AttributeType, table: string, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, attribute(type, `${table}.${name}`)]));

const byAge = ["$createdAt", "$sequence"];
const nothing = sql<SqlBool>`1 = 0`;
const isActive = sql<SqlBool>`posts.status = 'active'`;
const somebodyElse = "";

/** A condition on `posts`, from the permissions' two lines on reading stories. */
function readableStories(viewer: Viewer, active = isActive): RawBuilder<SqlBool> | undefined {
  if (may(viewer, "read a draft", somebodyElse)) return undefined;
  const published = may(viewer, "read a published story") ? active : nothing;
  // With an `or` an index that begins with the status could not be walked in its order.
  if (!viewer) return published;
  const own = may(viewer, "read a draft", viewer.id) ? sql<SqlBool>`posts."userId" = ${viewer.id}` : nothing;
  return sql<SqlBool>`(${published} or ${own})`;
}

/** The stories that a search looks at: the newest that have the words anywhere, or in the title, or in the author's name. */
const searchedAtMost = 1_000;

/** Every word occurs in this column; the index that is asked first knows only that it occurs in one of them. */
function searchIn(name: "searchTitle" | "searchAuthor" | "searchText", place: Place): Search {
  const holds: Search["holds"] = (engine, text) => {
    const words = searchTerms(text).map(({ forms: [word = ""], isPrefix }) =>
      containsWord(engine, sql.ref(`posts.${name}`), word, isPrefix),
    );
    return words.length === 0 ? nothing : sql<SqlBool>`(${sql.join(words, sql` and `)})`;
  };
  const candidates = (engine: Engine, text: string) => {
    const terms = searchTerms(text);
    if (terms.length === 0) return nothing;
    return sql<SqlBool>`posts.number in (${newestOfAll(engine, terms, searchedAtMost, place)})`;
  };
  return {
    column: column(`posts.${name}`),
    holds,
    times: (text) => searchTerms(text).length,
    candidates,
    find: (engine, text) => sql<SqlBool>`(${candidates(engine, text)} and ${holds(engine, text)})`,
  };
}

/** The words as they stand, whatever their case: what is looked through is one person's own. */
function holdsInMessages(engine: Engine, text: string): RawBuilder<SqlBool> {
  return contains(engine, sql.ref("messages.folded"), fold(text));
}

const inMessages: Search = {
  column: column("messages.folded"),
  candidates: () => undefined,
  ...{ find: holdsInMessages, holds: holdsInMessages, times: () => 1 },
};
/** Of most collections the age is the order that nobody has to ask for. */
const byAgeAlone = ["", ...byAge];

const posts: Collection = {
  source: sql`posts left join profiles on profiles."userId" = posts."userId"`,
  id: column("posts.id"),
  sequence: column("posts.number"),
  createdAt: column("posts.createdAt"),
  updatedAt: column("posts.updatedAt"),
  ownerId: column("posts.userId"),
  isPublic: isActive,
  ties: [column("posts.number")],
  attributes: {
    title: { ...attribute("text", "posts.title"), search: searchIn("searchTitle", "title") },
    content: { ...attribute("text", "posts.content"), search: searchIn("searchText", "anywhere") },
    ...attributes("text", "posts", ["featuredImage", "status", "userId"]),
    userName: { type: "text", column: sql`coalesce(profiles."userName", posts."userName")`, search: searchIn("searchAuthor", "author") },
    ...attributes("boolean", "posts", ["featured", "pinned"]),
    ...attributes("number", "posts", ["views", "likesCount", "bookmarksCount"]),
  },
  narrow: ["$id", "userId"],
  ordered: [...byAge, "$id", "title", "status", "featured", "pinned"],
  flags: ["featured", "pinned"],
  served: [...byAgeAlone, "title"],
  servedBesideNarrow: ["$createdAt"],
  servedPerStatus: ["title"],
  long: "content",
  readable: readableStories,
};

/** Of published stories, by figures that are kept in order beside them. */
const rankedPosts: Collection = {
  ...posts,
  source: sql`rankings inner join posts on posts.number = rankings.number left join profiles on profiles."userId" = posts."userId"`,
  ties: [column("rankings.number")],
  attributes: { ...posts.attributes, views: attribute("number", "rankings.views"), likesCount: attribute("number", "rankings.likes") },
  ordered: [...posts.ordered, "views", "likesCount"],
  served: ["views", "likesCount"],
  servedBesideNarrow: [],
};

/** Where a query is answered from: its order may have a table of its own. */
export function collectionFor(name: ListName, { filters, orders }: Pick<DocumentQuery, "filters" | "orders">): Collection {
  const [first] = orders;
  const isRanked = name === "posts" && (first?.attribute === "views" || first?.attribute === "likesCount");
  return isRanked && asksForPublished(filters) ? rankedPosts : collections[name];
}

/** Whether the answer can tell the viewer what a draft of somebody else says: staff may read those. */
export function tellsOfDrafts(viewer: Viewer, { filters, select, orders }: DocumentQuery): boolean {
  if (!viewer || !may(viewer, "read a draft", somebodyElse) || asksForPublished(filters) || asksForOwn(filters, viewer.id)) return false;
  const isSelected = !select || select.includes("*") || select.includes("content");
  return isSelected || [filters, orders].some((asked) => JSON.stringify(asked).includes('"attribute":"content"'));
}

function asksForOwn(filters: Filter[], userId: string): boolean {
  return filters.some(
    (each) => "values" in each && each.method === "equal" && each.attribute === "userId" && each.values.every((value) => value === userId),
  );
}

function asksForPublished(filters: Filter[]): boolean {
  return filters.some(
    (each) => "values" in each && each.method === "equal" && each.attribute === "status" && each.values.join() === "active",
  );
}

/**
 * Whether everybody who may ask this is answered alike, so that one's answer can be given to another: nothing is asked for that only
 * some may read. Profiles are not alike: staff, and the member, see that of a suspended one.
 */
export function isSameForAll(name: ListName, { filters, cursor }: Pick<DocumentQuery, "filters" | "cursor">): boolean {
  // A page may begin after a document that only its owner may read.
  return name === "posts" && !cursor && asksForPublished(filters);
}

/** Of a suspended member only they themselves and administrators see it; a row of `suspensions` goes when its time is over. */
function readableProfiles(viewer: Viewer): RawBuilder<SqlBool> | undefined {
  if (!may(viewer, "see a profile")) return nothing;
  if (may(viewer, "moderate members")) return undefined;
  return viewer ? sql<SqlBool>`(${isOpen} or profiles."userId" = ${viewer.id})` : isOpen;
}

const isOpen = sql<SqlBool>`not exists (select 1 from suspensions where suspensions."userId" = profiles."userId")`;

const profiles: Collection = {
  source: sql`profiles`,
  id: column("profiles.userId"),
  sequence: column("profiles.createdAt"),
  createdAt: column("profiles.createdAt"),
  updatedAt: column("profiles.updatedAt"),
  ownerId: column("profiles.userId"),
  isPublic: isOpen,
  ties: [column("profiles.createdAt"), column("profiles.userId")],
  attributes: {
    ...attributes("text", "profiles", [
      "userId",
      "userName",
      "bio",
      "location",
      "website",
      "twitter",
      "github",
      "linkedIn",
      "profileImage",
    ]),
    // As it is called in one place of the specification.
    linkedin: attribute("text", "profiles.linkedIn"),
  },
  narrow: ["$id", "userId"],
  ordered: [...byAge, "$id", "userId"],
  served: byAgeAlone,
  servedBesideNarrow: byAgeAlone,
  readable: readableProfiles,
};

function reactions(table: "likes" | "bookmarks", readable: Collection["readable"], isPublic: boolean): Collection {
  return {
    source: sql`${sql.table(table)} inner join posts on posts.id = ${sql.ref(`${table}.postId`)}`,
    id: column(`${table}.id`),
    sequence: column(`${table}.createdAt`),
    createdAt: column(`${table}.createdAt`),
    updatedAt: column(`${table}.createdAt`),
    ownerId: column(`${table}.userId`),
    isPublic: isPublic ? isActive : sql`false`,
    ties: [column(`${table}.createdAt`), column(`${table}.id`)],
    attributes: attributes("text", table, ["postId", "userId"]),
    narrow: ["$id", "postId", "userId"],
    ordered: [...byAge, "$id"],
    served: byAgeAlone,
    servedBesideNarrow: byAgeAlone,
    isOwn: !isPublic,
    readable,
  };
}

/** As an expression that no index knows: SQLite would rather begin with all published stories than with the newest likes. */
const isActiveBeside = sql<SqlBool>`posts.status || '' = 'active'`;

/** What somebody keeps for later is nobody else's affair; that a story can be read goes for its bookmarks too. */
function readableBookmarks(viewer: Viewer): RawBuilder<SqlBool> {
  if (!viewer || !may(viewer, "see own bookmarks", viewer.id)) return nothing;
  const own = sql<SqlBool>`bookmarks."userId" = ${viewer.id}`;
  const stories = readableStories(viewer, isActiveBeside);
  return stories ? sql<SqlBool>`(${own} and ${stories})` : own;
}

/** What two people have written each other. Administrators look where it is recorded: `readMessage`. */
const messages: Collection = {
  source: sql`messages left join files on files.id = messages."fileId"`,
  id: column("messages.id"),
  sequence: column("messages.createdAt"),
  createdAt: column("messages.createdAt"),
  updatedAt: column("messages.createdAt"),
  ownerId: column("messages.senderId"),
  isPublic: sql`false`,
  ties: [column("messages.createdAt"), column("messages.id")],
  attributes: {
    ...attributes("text", "messages", ["senderId", "receiverId", "conversationId"]),
    message: { ...attribute("text", "messages.message"), search: inMessages },
    number: attribute("number", "messages.number"),
    isRead: attribute("boolean", "messages.isRead"),
    fileId: attribute("text", "messages.fileId"),
    fileName: attribute("text", "files.name"),
    fileSize: attribute("number", "files.size"),
    fileType: attribute("text", "files.type"),
  },
  narrow: ["$id", "senderId", "receiverId", "conversationId"],
  ordered: [...byAge, "$id"],
  served: byAgeAlone,
  servedBesideNarrow: byAgeAlone,
  isOwn: true,
  readable(viewer) {
    if (!viewer || !may(viewer, "read a conversation", viewer.id)) return nothing;
    return sql<SqlBool>`(messages."senderId" = ${viewer.id} or messages."receiverId" = ${viewer.id})`;
  },
};

/** Everybody's own list of whom they write with: one entry per partner, for as long as there are messages. */
const conversations: Collection = {
  source: sql`participants
    inner join messages on messages."conversationId" = participants."conversationId" and messages.number = participants."lastNumber"
    left join profiles on profiles."userId" = participants."partnerId"`,
  id: column("participants.conversationId"),
  sequence: column("participants.lastAt"),
  createdAt: column("participants.lastAt"),
  updatedAt: column("participants.lastAt"),
  ownerId: column("participants.userId"),
  isPublic: sql`false`,
  ties: [column("participants.lastAt"), column("participants.conversationId")],
  attributes: {
    ...attributes("text", "participants", ["partnerId"]),
    partnerName: { type: "text", column: sql`coalesce(profiles."userName", '')` },
    lastMessageId: attribute("text", "messages.id"),
    lastMessage: attribute("text", "messages.message"),
    lastSenderId: attribute("text", "messages.senderId"),
    unreadCount: attribute("number", "participants.unreadCount"),
    muted: attribute("boolean", "participants.muted"),
  },
  narrow: ["$id", "partnerId"],
  ordered: [...byAge, "$id"],
  served: byAgeAlone,
  servedBesideNarrow: byAgeAlone,
  isOwn: true,
  readable(viewer) {
    if (!viewer || !may(viewer, "read a conversation", viewer.id)) return nothing;
    return sql<SqlBool>`participants."userId" = ${viewer.id}`;
  },
};

/** Whom one follows, and by whom one is followed. */
const follows: Collection = {
  source: sql`follows`,
  id: column("follows.id"),
  sequence: column("follows.createdAt"),
  createdAt: column("follows.createdAt"),
  updatedAt: column("follows.createdAt"),
  ownerId: column("follows.followerId"),
  isPublic: sql`false`,
  ties: [column("follows.createdAt"), column("follows.id")],
  attributes: attributes("text", "follows", ["followerId", "followedId"]),
  narrow: ["$id", "followerId", "followedId"],
  ordered: [...byAge, "$id"],
  served: byAgeAlone,
  servedBesideNarrow: byAgeAlone,
  isOwn: true,
  readable(viewer) {
    if (!viewer || !may(viewer, "see own follows", viewer.id)) return nothing;
    return sql<SqlBool>`(follows."followerId" = ${viewer.id} or follows."followedId" = ${viewer.id})`;
  },
};

/** Of one's own reports, and all of them for administrators. */
const reports: Collection = {
  source: sql`reports`,
  id: column("reports.id"),
  sequence: column("reports.number"),
  createdAt: column("reports.createdAt"),
  updatedAt: column("reports.updatedAt"),
  ownerId: column("reports.reporterId"),
  isPublic: sql`false`,
  ties: [column("reports.number")],
  attributes: attributes("text", "reports", ["kind", "subjectId", "ownerId", "reporterId", "reason", "note", "excerpt", "status"]),
  narrow: ["$id", "ownerId", "reporterId"],
  ordered: [...byAge, "$id", "status"],
  served: byAgeAlone,
  servedBesideNarrow: byAgeAlone,
  isOwn: true,
  readable(viewer) {
    if (may(viewer, "see reports", somebodyElse)) return undefined;
    return viewer && may(viewer, "see reports", viewer.id) ? sql<SqlBool>`reports."reporterId" = ${viewer.id}` : nothing;
  },
};

/** Of files that came through the API: own ones, and those that their owners have made public. */
const files: Collection = {
  source: sql`files`,
  id: column("files.id"),
  sequence: column("files.createdAt"),
  createdAt: column("files.createdAt"),
  updatedAt: sql`coalesce(files."updatedAt", files."createdAt")`,
  ownerId: column("files.ownerId"),
  isPublic: column("files.public"),
  ties: [column("files.createdAt"), column("files.id")],
  attributes: {
    name: attribute("text", "files.name"),
    signature: { type: "text", column: sql`coalesce(files.signature, '')` },
    mimeType: { type: "text", column: sql`case when files.signature is null then '' else files.type end` },
    sizeOriginal: attribute("number", "files.size"),
    chunksTotal: attribute("number", "files.pieces"),
    chunksUploaded: {
      type: "number",
      column: sql`case when files.signature is not null then files.pieces
        else (select count(*) from file_pieces where file_pieces."fileId" = files.id) end`,
    },
  },
  narrow: ["$id"],
  ordered: [...byAge, "$id"],
  served: byAgeAlone,
  servedBesideNarrow: byAgeAlone,
  readable(viewer) {
    const everybodys = sql<SqlBool>`(files.public = true and files.signature is not null)`;
    const ofTheApi = sql<SqlBool>`(files.signature is not null or files.pieces > 1)`;
    if (may(viewer, "see uploaded files", somebodyElse)) return ofTheApi;
    if (!viewer) return everybodys;
    const own = sql<SqlBool>`(files."ownerId" = ${viewer.id} and ${ofTheApi})`;
    return may(viewer, "see uploaded files", viewer.id) ? sql<SqlBool>`(${everybodys} or ${own})` : everybodys;
  },
};

export const collections: Record<ListName, Collection> = {
  posts,
  profiles,
  likes: reactions("likes", (viewer) => readableStories(viewer, isActiveBeside), true),
  bookmarks: reactions("bookmarks", readableBookmarks, false),
  messages,
  conversations,
  follows,
  reports,
  files,
};
