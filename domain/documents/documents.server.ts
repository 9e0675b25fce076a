import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from "kysely";
import { megabyte } from "#platform/bytes.ts";
import type { Database } from "#platform/database/open.ts";
import type { AuditAction, AuditState } from "../audit/audit.ts";
import { recordAccess, recordDraftAccess } from "../audit/record-access.server.ts";
import type { ListName } from "../changes.ts";
import { may } from "../permissions.ts";
import { NotFound } from "../refusals.ts";
import { requirePostListing } from "../settings/features.ts";
import type { Site, SiteTransaction, Viewer } from "../site.ts";
import { type AttributeType, attributeOf, badQuery, type Collection, conditionOf, otherMember } from "./collection.server.ts";
import { adjustedLikePrefix, adjustedLikes, collectionFor, collections, requestsDrafts } from "./collections.server.ts";
import { type Cost, costOf, hasSelectiveFilter, readBounded } from "./cost.server.ts";
import {
  type Document,
  type DocumentPage,
  type DocumentQuery,
  type Filter,
  maxCounted,
  maxListed,
  type Order,
  type Value,
} from "./document.ts";

type Condition = RawBuilder<SqlBool>;
type SortOrder = { column: RawBuilder<unknown>; direction: "asc" | "desc"; name?: string };

/**
 * A page of the documents that the viewer may read, and their total, counted up to `maxCounted`. Unreadable documents are neither counted
 * nor usable as cursors. Lists of others' files and of the text of others' drafts are recorded in the audit log. A page is cut at
 * `maxResponseBytes` of text.
 * @throws Invalid ("bad-query"), Unavailable, SignInRequired.
 */
export async function listDocuments(site: Site, viewer: Viewer, name: ListName, query: DocumentQuery): Promise<DocumentPage> {
  const collection = (await hasAdjustedLikes(site, name, query)) ? adjustedLikes : collectionFor(name, viewer, query);
  // Visitors may always list by author, by id, and what is featured or pinned.
  if (name === "posts" && !hasSelectiveFilter(collection, query.filters)) requirePostListing(site, viewer);
  const cost = await costOf(site, viewer, collection, query);
  const plan = await makePlan(site, viewer, collection, query, cost);
  const listed = privateListing(viewer, name, query);
  if (viewer && listed) await recordAccess(site, viewer, { action: listed, subject: name, after: describeQuery(query) });
  const page = await readBounded(site, cost, async (db) => {
    const [total, { rows }] = await Promise.all([
      plan.count ? db.executeQuery<{ total: number }>(plan.count).then(({ rows }) => rows[0]?.total ?? 0) : 0,
      db.executeQuery<Row>(plan.list),
    ]);
    return { total, rows: plan.keysOnly ? await readThese(db, collection, plan, rows) : rows };
  });
  const documents = page.rows.map((row) => documentOf(row, plan.names, collections[name].attributes));
  const whole = documents.slice(0, fitting(documents.map(bytesOf)));
  return { documents: query.cursor?.direction === "before" ? whole.reverse() : whole, total: page.total };
}

/** For the likes of a single post, and with ids of adjusted ones; other lists with adjusted likes would scan all of both tables. */
async function hasAdjustedLikes({ db }: Site, name: ListName, { filters }: DocumentQuery): Promise<boolean> {
  if (name !== "likes") return false;
  if (valuesOf(filters, "$id").some(isAdjustedLike)) return true;
  const [postId, ...others] = valuesOf(filters, "postId");
  if (typeof postId !== "string" || others.length > 0) return false;
  const post = await db.selectFrom("posts").select("adjustedLikes").where("id", "=", postId).executeTakeFirst();
  return post !== undefined && post.adjustedLikes > 0;
}

function valuesOf(filters: Filter[], attribute: string): Value[] {
  return filters.flatMap((each) => ("values" in each && each.method === "equal" && each.attribute === attribute ? each.values : []));
}

function isAdjustedLike(id: Value): boolean {
  return String(id).startsWith(adjustedLikePrefix);
}

function privateListing(viewer: Viewer, name: ListName, query: DocumentQuery): AuditAction | undefined {
  if (name === "files" && may(viewer, "see uploaded files", otherMember)) return "files.listed";
  return name === "posts" && requestsDrafts(viewer, query) ? "drafts.listed" : undefined;
}

const maxQueryLength = 1_000;

function describeQuery({ filters, limit, offset, cursor }: DocumentQuery): AuditState {
  const query = JSON.stringify(filters).slice(0, maxQueryLength);
  return { query, limit, offset, ...(cursor && { cursor: cursor.id }) };
}

const maxResponseBytes = 5 * megabyte;

/** The number of documents that fit, at least one. */
function fitting(bytes: number[]): number {
  let [sum, count] = [0, 0];
  for (const each of bytes) {
    sum += each;
    if (sum > maxResponseBytes && count > 0) break;
    count++;
  }
  return count;
}

function bytesOf({ attributes }: Document): number {
  return Object.values(attributes).reduce<number>((sum, value) => sum + (typeof value === "string" ? Buffer.byteLength(value) : 0), 0);
}

async function readThese(db: Database, { id }: Collection, plan: Plan, keys: Row[]): Promise<Row[]> {
  const ids = keys.slice(0, fitting(keys.map((key) => Number(key.__bytes)))).map((key) => key.__id);
  if (ids.length === 0) return [];
  const where = [sql<SqlBool>`${id} in (${sql.join(ids)})`, ...(plan.readable ? [plan.readable] : [])];
  const { rows } = await sql<Row>`${plan.select} where ${allOf(where)}`.execute(db);
  const found = new Map(rows.map((row) => [row.__id, row]));
  return ids.flatMap((each) => found.get(each) ?? []);
}

type Plan = {
  list: CompiledQuery;
  count: CompiledQuery | undefined;
  names: string[];
  /** `list` returns ids and lengths only; `select` then reads the documents that fit. */
  keysOnly: boolean;
  select: RawBuilder<unknown>;
  readable: Condition | undefined;
};

const maxLongDocuments = 25;

async function makePlan(site: Site, viewer: Viewer, collection: Collection, query: DocumentQuery, cost: Cost): Promise<Plan> {
  const readable = collection.readable(viewer);
  const where = [...(readable ? [readable] : []), ...query.filters.map((filter) => conditionOf(site.engine, collection, filter))];
  const names = selected(collection, query.select);
  const { longAttribute } = collection;
  const isRead = longAttribute !== undefined && names.includes(longAttribute);
  const keysOnly = isRead && (query.limit > maxLongDocuments || !cost.isIndexed);
  const select = selectDocument(collection, names);
  const list = await pageOf(site, collection, {
    ...query,
    where,
    readable,
    select: keysOnly ? selectKeys(collection, longAttribute) : select,
  });
  const count = query.counted ? countOf(collection, where) : undefined;
  return { list: list.compile(site.db), count: count?.compile(site.db), names, keysOnly, select, readable };
}

function selectKeys({ source, id, attributes }: Collection, longAttribute: string): RawBuilder<unknown> {
  return sql`select ${id} as "__id", octet_length(${attributes[longAttribute]?.column}) as "__bytes" from ${source}`;
}

/** @throws NotFound, also if the viewer may not read it; Invalid ("bad-query"). */
export async function findDocument(
  site: Site | SiteTransaction,
  viewer: Viewer,
  name: ListName,
  id: string,
  select?: string[],
): Promise<Document> {
  const collection = name === "likes" && isAdjustedLike(id) ? adjustedLikes : collections[name];
  const readable = collection.readable(viewer);
  const names = selected(collection, select);
  const where = [sql<SqlBool>`${collection.id} = ${id}`, ...(readable ? [readable] : [])];
  const { rows } = await sql<Row>`${selectDocument(collection, names)} where ${allOf(where)}`.execute(site.db);
  if (!rows[0]) throw new NotFound();
  return documentOf(rows[0], names, collection.attributes);
}

/** `findDocument` for display: records staff reading a draft in the audit log. @throws NotFound, Invalid ("bad-query"). */
export async function readDocument(site: Site, viewer: Viewer, name: ListName, id: string, select?: string[]): Promise<Document> {
  const document = await findDocument(site, viewer, name, id, select);
  if (name === "posts" && Object.hasOwn(document.attributes, "content"))
    await recordDraftAccess(site, viewer, { id, userId: document.ownerId ?? "", status: document.isPublic ? "active" : "inactive" });
  return document;
}

function selected({ attributes }: Collection, select: string[] | undefined): string[] {
  const every = Object.keys(attributes).filter((name) => name !== "linkedin");
  if (!select) return every;
  if (select.length === 0) throw badQuery("No attributes selected");
  if (new Set(select).size < select.length) throw badQuery("Duplicate attributes selected");
  const names = select.filter((name) => !name.startsWith("$"));
  for (const name of names) if (name !== "*" && !Object.hasOwn(attributes, name)) throw badQuery(`Attribute not found in schema: ${name}`);
  return names.includes("*") ? every : names;
}

/** For `documentOf`. */
export function selectDocument(collection: Collection, names: string[]): RawBuilder<unknown> {
  const { source, id, sequence, createdAt, updatedAt, ownerId, isPublic, isOwnerOnly, attributes } = collection;
  const columns = names.map((name) => sql`${attributes[name]?.column} as ${sql.id(name)}`);
  return sql`select ${sql.join([
    sql`${id} as "__id"`,
    sql`${sequence} as "__sequence"`,
    sql`${createdAt} as "__createdAt"`,
    sql`${updatedAt} as "__updatedAt"`,
    sql`${ownerId} as "__owner"`,
    sql`${isPublic} as "__public"`,
    ...(isOwnerOnly ? [sql`${isOwnerOnly} as "__isOwnerOnly"`] : []),
    ...columns,
  ])} from ${source}`;
}

export type Row = {
  __id: string;
  __sequence: number;
  __createdAt: number;
  __updatedAt: number;
  __owner: string | null;
  __public: unknown;
  __isOwnerOnly?: unknown;
} & Record<string, unknown>;

export function documentOf(row: Row, names: string[], attributes: Collection["attributes"]): Document {
  const values = names.map((name) => [name, plainValue(row[name], attributes[name]?.type)] as const);
  return {
    id: row.__id,
    sequence: row.__sequence,
    createdAt: row.__createdAt,
    updatedAt: row.__updatedAt,
    ownerId: row.__owner,
    isPublic: Boolean(row.__public),
    ...(row.__isOwnerOnly ? { isOwnerOnly: true } : {}),
    attributes: Object.fromEntries(values),
  };
}

/** SQLite returns boolean expressions as numbers. */
function plainValue(value: unknown, type: AttributeType | undefined) {
  return (type === "boolean" && value !== null ? Boolean(value) : value) as Document["attributes"][string];
}

function allOf(conditions: Condition[]): Condition {
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

function countOf({ source }: Collection, where: Condition[]): RawBuilder<unknown> {
  const matching = sql`select 1 as one from ${source} where ${allOf(where)} limit ${maxCounted}`;
  return sql`select count(*) as total from (${matching}) matching`;
}

type Page = Omit<DocumentQuery, "select"> & { where: Condition[]; readable: Condition | undefined; select: RawBuilder<unknown> };

async function pageOf(site: Site, collection: Collection, page: Page): Promise<RawBuilder<unknown>> {
  const sorted = sortedBy(collection, page.orders);
  const backwards = page.cursor?.direction === "before";
  const along = backwards ? sorted.map((each) => ({ ...each, direction: opposite(each.direction) })) : sorted;
  const where = [...page.where, ...(page.cursor ? [await afterCursor(site, collection, page, along)] : [])];
  const by = along.map(({ column, direction }) => sql`${column} ${sql.raw(direction)}`);
  const limit = Math.min(page.limit, maxListed);
  return sql`${page.select} where ${allOf(where)}
    order by ${sql.join(by)} limit ${limit} offset ${page.offset}`;
}

function opposite(direction: "asc" | "desc"): "asc" | "desc" {
  return direction === "asc" ? "desc" : "asc";
}

/** The requested order, then age in the same direction: one index serves both. */
function sortedBy(collection: Collection, orders: Order[]): SortOrder[] {
  const sorted: SortOrder[] = [];
  for (const { attribute: requested, direction } of orders) {
    const name = requested || "$sequence";
    const attribute = attributeOf(collection, name);
    if (!attribute) throw badQuery(`Attribute not found in schema: ${name}`);
    sorted.push({ column: attribute.column, direction, name });
    if (name === "$id") return sorted;
  }
  const direction = sorted.at(-1)?.direction ?? "asc";
  // A repeated column keeps SQLite from using the index.
  const named = new Set(sorted.map(({ column }) => textOf(column)));
  return [...sorted, ...collection.tieBreakers.filter((column) => !named.has(textOf(column))).map((column) => ({ column, direction }))];
}

function textOf(column: RawBuilder<unknown>): string {
  return JSON.stringify(column.toOperationNode());
}

async function afterCursor(site: Site, collection: Collection, { cursor, readable }: Page, sorted: SortOrder[]): Promise<Condition> {
  const id = cursor?.id ?? "";
  const keys = sorted.map(({ column }, index) => sql`${column} as ${sql.id(`k${index}`)}`);
  const where = allOf([sql<SqlBool>`${collection.id} = ${id}`, ...(readable ? [readable] : [])]);
  const { rows } = await sql<Record<string, unknown>>`select ${sql.join(keys)} from ${collection.source} where ${where}`.execute(site.db);
  const row = rows[0];
  if (!row) throw badQuery(`Document '${id}' for the 'cursor' value not found.`, "not-found");
  const values = sorted.map((_each, index) => row[`k${index}`]);
  const missing = sorted.find((_each, index) => values[index] === null);
  if (missing)
    throw badQuery(
      `The order attribute '${missing.name}' had a null value. Cursor pagination requires all documents order attribute values are non-null.`,
      "without-order",
    );
  return laterThan(sorted, values);
}

/** `a >= 1 and (a > 1 or (b > 2 …))`: the first condition lets an index find the start. */
function laterThan([first, ...rest]: SortOrder[], [value, ...values]: unknown[]): Condition {
  if (!first) return sql<SqlBool>`1 = 0`;
  const sign = sql.raw(first.direction === "asc" ? ">" : "<");
  const later = sql<SqlBool>`${first.column} ${sign} ${value}`;
  if (rest.length === 0) return later;
  return sql<SqlBool>`(${first.column} ${sign}= ${value} and (${later} or ${laterThan(rest, values)}))`;
}
