import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from "kysely";
import { NotFound } from "../refusals.ts";
import type { Site, SiteTransaction, Viewer } from "../site.ts";
import { attributeOf, type Collection, documentOf, type Row } from "./collection.ts";
import { collectionFor, collections } from "./collections.server.ts";
import { refuseLongScans } from "./cost.server.ts";
import {
  countedAtMost,
  type Document,
  type DocumentPage,
  type DocumentQuery,
  type ListName,
  listedAtMost,
  type Order,
} from "./document.ts";
import { BadQuery, conditionOf } from "./filters.server.ts";

type Condition = RawBuilder<SqlBool>;
type Sorted = { column: RawBuilder<unknown>; direction: "asc" | "desc"; name?: string };

/** The document that a page was to begin after, or end before, is not there. */
export class CursorNotFound extends BadQuery {}
/** It has nothing in the attribute that the list is ordered by. */
export class CursorWithoutOrder extends BadQuery {}

/**
 * The documents of a collection that the viewer may read and that a query asks for, and how many there are, counted up to
 * 5000. What may not be read is not there: it is neither listed nor counted, nor can a page begin after it.
 * @throws BadQuery.
 */
export async function listDocuments(site: Site, viewer: Viewer, name: ListName, query: DocumentQuery): Promise<DocumentPage> {
  const plan = await planOf(site, viewer, name, query);
  const [total, { rows }] = await Promise.all([
    plan.count ? site.db.executeQuery<{ total: number }>(plan.count).then(({ rows }) => rows[0]?.total ?? 0) : 0,
    site.db.executeQuery<Row>(plan.list),
  ]);
  const documents = rows.map((row) => documentOf(row, plan.names, collections[name].attributes));
  return { documents: query.cursor?.direction === "before" ? documents.reverse() : documents, total };
}

/** The statements that answer a query. They hold who asks and nothing of the time: asked again, they are the same. */
type Plan = { list: CompiledQuery; count: CompiledQuery | undefined; names: string[] };

const keptPlans = 500;
const longestKey = 1_000;
const plans = new WeakMap<Site["db"], Map<string, Plan>>();

/** Making the statements of a list takes longer than running them; those of recent questions are kept. */
async function planOf(site: Site, viewer: Viewer, name: ListName, query: DocumentQuery): Promise<Plan> {
  const kept = plans.get(site.db) ?? new Map<string, Plan>();
  plans.set(site.db, kept);
  const key = query.cursor ? undefined : JSON.stringify([name, viewer && [viewer.id, viewer.admin, viewer.confirmed], query]);
  const known = key === undefined ? undefined : kept.get(key);
  if (known) return known;
  const plan = await makePlan(site, viewer, name, query);
  if (key === undefined || key.length > longestKey) return plan;
  if (kept.size >= keptPlans) kept.delete(kept.keys().next().value as string);
  kept.set(key, plan);
  return plan;
}

async function makePlan(site: Site, viewer: Viewer, name: ListName, query: DocumentQuery): Promise<Plan> {
  const collection = collectionFor(name, query);
  await refuseLongScans(site, collection, query);
  const readable = collection.readable(viewer);
  const where = [...(readable ? [readable] : []), ...query.filters.map((filter) => conditionOf(site.engine, collection, filter))];
  const names = selected(collection, query.select);
  const list = await pageOf(site, collection, { ...query, where, readable, names });
  const count = query.counted ? countOf(collection, where) : undefined;
  return { list: list.compile(site.db), count: count?.compile(site.db), names };
}

/** One document. @throws NotFound also when the viewer may not read it, BadQuery for attributes that there aren't. */
export async function findDocument(
  site: Site | SiteTransaction,
  viewer: Viewer,
  name: ListName,
  id: string,
  select?: string[],
): Promise<Document> {
  const collection = collections[name];
  const readable = collection.readable(viewer);
  const names = selected(collection, select);
  const where = [sql<SqlBool>`${collection.id} = ${id}`, ...(readable ? [readable] : [])];
  const { rows } = await sql<Row>`${selectDocument(collection, names)} where ${all(where)}`.execute(site.db);
  if (!rows[0]) throw new NotFound();
  return documentOf(rows[0], names, collection.attributes);
}

function selected({ attributes }: Collection, select: string[] | undefined): string[] {
  const every = Object.keys(attributes).filter((name) => name !== "linkedin");
  if (!select) return every;
  if (select.length === 0) throw new BadQuery("No attributes selected");
  if (new Set(select).size < select.length) throw new BadQuery("Duplicate attributes selected");
  const names = select.filter((name) => !name.startsWith("$"));
  for (const name of names)
    if (name !== "*" && !Object.hasOwn(attributes, name)) throw new BadQuery(`Attribute not found in schema: ${name}`);
  return names.includes("*") ? every : names;
}

/** `select … from …` of documents with these attributes. */
export function selectDocument(collection: Collection, names: string[]): RawBuilder<unknown> {
  const { source, id, sequence, createdAt, updatedAt, ownerId, isPublic, attributes } = collection;
  const columns = names.map((name) => sql`${attributes[name]?.column} as ${sql.id(name)}`);
  return sql`select ${sql.join([
    sql`${id} as "__id"`,
    sql`${sequence} as "__sequence"`,
    sql`${createdAt} as "__createdAt"`,
    sql`${updatedAt} as "__updatedAt"`,
    sql`${ownerId} as "__owner"`,
    sql`${isPublic} as "__public"`,
    ...columns,
  ])} from ${source}`;
}

function all(conditions: Condition[]): Condition {
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** Counting on for ever would cost more the more there is. */
function countOf({ source }: Collection, where: Condition[]): RawBuilder<unknown> {
  const matching = sql`select 1 as one from ${source} where ${all(where)} limit ${countedAtMost}`;
  return sql`select count(*) as total from (${matching}) matching`;
}

type Page = DocumentQuery & { where: Condition[]; readable: Condition | undefined; names: string[] };

async function pageOf(site: Site, collection: Collection, page: Page): Promise<RawBuilder<unknown>> {
  const sorted = sortedBy(collection, page.orders);
  const backwards = page.cursor?.direction === "before";
  const along = backwards ? sorted.map((each) => ({ ...each, direction: opposite(each.direction) })) : sorted;
  const where = [...page.where, ...(page.cursor ? [await beyond(site, collection, page, along)] : [])];
  const by = along.map(({ column, direction }) => sql`${column} ${sql.raw(direction)}`);
  const limit = Math.min(page.limit, listedAtMost);
  return sql`${selectDocument(collection, page.names)} where ${all(where)}
    order by ${sql.join(by)} limit ${limit} offset ${page.offset}`;
}

function opposite(direction: "asc" | "desc"): "asc" | "desc" {
  return direction === "asc" ? "desc" : "asc";
}

/** What is asked for, then the order of age, in the last one's direction: an index serves both at once. */
function sortedBy(collection: Collection, orders: Order[]): Sorted[] {
  const sorted: Sorted[] = [];
  for (const { attribute: asked, direction } of orders) {
    const name = asked === "" ? "$sequence" : asked;
    const attribute = attributeOf(collection, name);
    if (!attribute) throw new BadQuery(`Attribute not found in schema: ${name}`);
    sorted.push({ column: attribute.column, direction, name });
    if (name === "$id") return sorted;
  }
  const direction = sorted.at(-1)?.direction ?? "asc";
  return [...sorted, ...collection.ties.map((column) => ({ column, direction }))];
}

/** Everything that comes later than the cursor's document in this order. */
async function beyond(site: Site, collection: Collection, { cursor, readable }: Page, sorted: Sorted[]): Promise<Condition> {
  const id = cursor?.id ?? "";
  const keys = sorted.map(({ column }, index) => sql`${column} as ${sql.id(`k${index}`)}`);
  const where = all([sql<SqlBool>`${collection.id} = ${id}`, ...(readable ? [readable] : [])]);
  const { rows } = await sql<Record<string, unknown>>`select ${sql.join(keys)} from ${collection.source} where ${where}`.execute(site.db);
  const row = rows[0];
  if (!row) throw new CursorNotFound(`Document '${id}' for the 'cursor' value not found.`);
  const values = sorted.map((_each, index) => row[`k${index}`]);
  const missing = sorted.find((_each, index) => values[index] === null);
  if (missing)
    throw new CursorWithoutOrder(
      `The order attribute '${missing.name}' had a null value. Cursor pagination requires all documents order attribute values are non-null.`,
    );
  return laterThan(sorted, values);
}

/** `a > 1 or (a = 1 and (b > 2 or …))`, with `a >= 1` before it, by which an index finds the place. */
function laterThan([first, ...rest]: Sorted[], [value, ...values]: unknown[]): Condition {
  if (!first) return sql<SqlBool>`1 = 0`;
  const sign = sql.raw(first.direction === "asc" ? ">" : "<");
  const later = sql<SqlBool>`${first.column} ${sign} ${value}`;
  if (rest.length === 0) return later;
  return sql<SqlBool>`(${first.column} ${sign}= ${value} and (${later} or ${laterThan(rest, values)}))`;
}
