import { type RawBuilder, type SqlBool, sql } from "kysely";
import { megabyte } from "#platform/bytes.ts";
import type { Database } from "#platform/database/open.ts";
import { QueueFull } from "#platform/queues/fair-queue.ts";
import { minutes } from "#platform/time.ts";
import type { CollectionSize } from "../memory.ts";
import { type Invalid, Unavailable } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import { type Attribute, attributeOf, badQuery, byAgeOnly, type Collection, conditionOf } from "./collection.server.ts";
import type { DocumentQuery, Filter, Value } from "./document.ts";

export const maxScannedRows = 10_000;

/** Bytes that the conditions of a request may scan, counted for each value. */
export const maxScannedBytes = { visitor: 5 * megabyte, member: 20 * megabyte };
const bytesPerComparison = 50;

const measurementMaxAgeMs = minutes(1);

/** Upper bound. `isIndexed`: an index has the rows in order, so only those of the page are read. */
export type Cost = { isIndexed: true } | { isIndexed: false; rows: number; bytes: number };

type Condition = RawBuilder<SqlBool>;
/** What a condition leaves to scan: few rows, what an index finds, or all rows. */
type ScanScope = "selective" | "indexed" | "full";
type Comparison = Exclude<Filter, { filters: Filter[] }>;
type Query = Pick<DocumentQuery, "filters" | "orders" | "counted">;

/**
 * Estimates the cost of a query and refuses expensive ones: allowed is what indexes serve, and scans of few rows and little text. For
 * visitors nothing is scanned that neither an index nor a selective attribute has found. @throws Invalid ("bad-query") naming an attribute.
 */
export async function costOf(site: Site, viewer: Viewer, collection: Collection, query: Query): Promise<Cost> {
  const { filters, orders, counted } = query;
  const own = collection.isOwn ? collection.readable(viewer) : undefined;
  const selective = filters.filter((filter) => scanScope(collection, filter) === "selective");
  const isSelective = own !== undefined || selective.length > 0;
  if (hasIndexedOrder(collection, query, isSelective)) return { isIndexed: true };
  const scanning = filters.find((filter) => scanScope(collection, filter) === "full");
  const sorting = orders.find(({ attribute }) => attribute !== "" && !collection.rangeIndexedAttributes.includes(attribute));
  const refuse = () => refusal(collection, sorting?.attribute ?? attributeIn(scanning ?? filters[0]) ?? orders[0]?.attribute ?? "$id");
  if (!isSelective && !viewer && (scanning || sorting)) throw refuse();
  const scanned = comparisonsIn(filters).map((comparison) => scannedColumn(collection, comparison));
  const columns = new Map(scanned.flatMap(({ name, column }) => (column ? [[name, column] as const] : [])));
  const candidates = [...(own ? [own] : []), ...selective.map((filter) => conditionOf(site.engine, collection, filter))];
  candidates.push(...filters.flatMap((filter) => searched(site, collection, filter)));
  const { rows, bytes } = await measure(site, collection, columns, candidates);
  const matchBytes = scanned.reduce((sum, { name, times }) => sum + times * (bytes.get(name) ?? rows * bytesPerComparison), 0);
  const totalBytes = (matchBytes + rows * bytesPerComparison * (1 + orders.length)) * (counted ? 2 : 1);
  if (rows > maxScannedRows || totalBytes > maxScannedBytes[viewer ? "member" : "visitor"]) throw refuse();
  return { isIndexed: false, rows, bytes: totalBytes };
}

export function hasSelectiveFilter(collection: Collection, filters: Filter[]): boolean {
  return filters.some((filter) => scanScope(collection, filter) === "selective");
}

function refusal({ selectiveAttributes }: Collection, attribute: string): Invalid {
  return badQuery(`Index not found: ${attribute.slice(0, 100)}. Also filter by one of ${selectiveAttributes.join(", ")}, or use search.`);
}

const isRange = /^(equal|between|(less|greater)Than(Equal)?)$/;

function scanScope(collection: Collection, filter: Filter): ScanScope {
  if ("filters" in filter) {
    const scopes = filter.filters.map((each) => scanScope(collection, each));
    const isSelective = filter.method === "and" ? scopes.includes("selective") : scopes.every((scope) => scope === "selective");
    if (isSelective) return "selective";
    return scopes.includes("full") ? "full" : "indexed";
  }
  const { method, attribute, values } = filter;
  if (method === "equal" && collection.selectiveAttributes.includes(attribute)) return "selective";
  if (method === "equal" && collection.partialIndexFlags?.includes(attribute) && values.every((value) => value === true))
    return "selective";
  if (method === "search") return "indexed";
  return isRange.test(method) && collection.rangeIndexedAttributes.includes(attribute) ? "indexed" : "full";
}

/** Whether an index has the requested rows in the requested order. */
function hasIndexedOrder(collection: Collection, { filters, orders }: Query, isSelective: boolean): boolean {
  const key = orders[0]?.attribute || "$sequence";
  const indexed = (isSelective ? collection.indexedOrdersWhenSelective : collection.indexedOrders) ?? byAgeOnly;
  if (orders.length > 1 || !indexed.includes(orders[0]?.attribute ?? "")) return false;
  if (collection.indexedOrdersPerStatus?.includes(key) && !filters.some((filter) => hasSingleValue(filter, "status"))) return false;
  return filters.every((filter) => {
    if ("filters" in filter) return false;
    if (scanScope(collection, filter) === "selective" || filter.attribute === "status") return hasSingleValue(filter, filter.attribute);
    return filter.attribute === key && isRange.test(filter.method) && (filter.method !== "equal" || filter.values.length === 1);
  });
}

function hasSingleValue(filter: Filter, attribute: string): boolean {
  return "values" in filter && filter.method === "equal" && filter.attribute === attribute && filter.values.length === 1;
}

function attributeIn(filter: Filter | undefined): string | undefined {
  return filter && comparisonsIn([filter])[0]?.attribute;
}

function comparisonsIn(filters: Filter[]): Comparison[] {
  return filters.flatMap((filter) => ("filters" in filter ? comparisonsIn(filter.filters) : [filter]));
}

type ScannedColumn = { name: string; column?: RawBuilder<unknown>; times: number };

function scannedColumn(collection: Collection, { method, attribute, values }: Comparison): ScannedColumn {
  const found: Attribute | undefined = attributeOf(collection, attribute);
  if (!found) throw badQuery(`Attribute not found in schema: ${attribute.slice(0, 100)}`);
  if (found.search && /^(not)?search$/i.test(method))
    return { name: `${attribute} words`, column: found.search.column(textOf(values)), times: found.search.scansPerRow(textOf(values)) };
  const times = /with$|contains/i.test(method) ? values.length : 1;
  return found.type === "text" ? { name: attribute, column: found.column, times } : { name: attribute, times };
}

function searched({ engine }: Site, collection: Collection, filter: Filter): Condition[] {
  if ("filters" in filter || filter.method !== "search") return [];
  const found = attributeOf(collection, filter.attribute)?.search?.candidates(engine, textOf(filter.values));
  return found ? [found] : [];
}

function textOf([value]: Value[]): string {
  return typeof value === "string" ? value : "";
}

/** Whole collections are measured once a minute at most. */
async function measure(
  site: Site,
  collection: Collection,
  columns: Map<string, RawBuilder<unknown>>,
  where: Condition[],
): Promise<CollectionSize> {
  if (where.length > 0) return measureNow(site, collection, columns, where);
  const { collectionSizes } = site.memory;
  const key = [JSON.stringify(collection.source.toOperationNode()), ...[...columns.keys()].sort()].join();
  const before = collectionSizes.get(key);
  if (before && before.until > performance.now()) return before.size;
  const size = await measureNow(site, collection, columns, where);
  collectionSizes.set(key, { size, until: performance.now() + measurementMaxAgeMs });
  return size;
}

async function measureNow(
  site: Site,
  { source }: Collection,
  columns: Map<string, RawBuilder<unknown>>,
  where: Condition[],
): Promise<CollectionSize> {
  const names = [...columns.keys()];
  const lengths = [...columns.values()].map((column, index) => sql`octet_length(${column}) as ${sql.id(`b${index}`)}`);
  const sums = names.map((_name, index) => sql`sum(${sql.id(`b${index}`)}) as ${sql.id(`b${index}`)}`);
  const conditions = where.length > 0 ? sql`where ${sql.join(where, sql` and `)}` : sql``;
  const some = sql`select ${sql.join([sql`1 as one`, ...lengths])} from ${source} ${conditions} limit ${maxScannedRows + 1}`;
  const { rows } = await sql<Record<string, number | null>>`
    select ${sql.join([sql`count(*) as counted`, ...sums])} from (${some}) some_rows`.execute(site.db);
  const row = rows[0] ?? {};
  return { rows: row.counted ?? 0, bytes: new Map(names.map((name, index) => [name, row[`b${index}`] ?? 0])) };
}

const statementTimeoutMs = 2_000;
const canceled = "57014";

/** On PostgreSQL: uses at most half of the connections, and stops scans after two seconds. @throws Unavailable. */
export async function readBounded<Result>(site: Site, cost: Cost, read: (db: Database) => Promise<Result>): Promise<Result> {
  if (site.engine === "sqlite") return read(site.db);
  const work = () => (cost.isIndexed ? read(site.db) : readInTime(site.db, read));
  return site.memory.listQueue.run("full", work).catch((error: unknown) => {
    if (!(error instanceof QueueFull)) throw error;
    throw new Unavailable("Too many lists are being requested right now. Please try again later.");
  });
}

async function readInTime<Result>(db: Database, read: (db: Database) => Promise<Result>): Promise<Result> {
  return db.connection().execute(async (one) => {
    await sql`select set_config('statement_timeout', ${String(statementTimeoutMs)}, false)`.execute(one);
    try {
      return await read(one);
    } catch (error) {
      throw (error as { code?: string }).code === canceled ? new Unavailable("Database timed out. Try adjusting your queries.") : error;
    } finally {
      await sql`reset statement_timeout`.execute(one);
    }
  });
}
