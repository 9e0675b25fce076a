import { sql } from "kysely";
import type { Site } from "../site.ts";
import type { Collection } from "./collection.ts";
import type { DocumentQuery, Filter } from "./document.ts";
import { BadQuery } from "./filters.server.ts";

/** Rows that may be looked at one by one. */
const fewRows = 50_000;
const measuredFor = 60_000;

/** What a condition leaves to look at: little, what an index finds, or whatever is there. */
type Reach = "narrow" | "found" | "all";

/**
 * Lets pass what indexes serve, and anything in a collection that is small. A condition that has to look at every row of
 * a large one would hold up everybody else; so would putting them all in order.
 * @throws BadQuery naming the attribute.
 */
export async function refuseLongScans(site: Site, collection: Collection, { filters, orders }: DocumentQuery): Promise<void> {
  if (collection.isOwn || filters.some((filter) => reachOf(collection, filter) === "narrow")) return;
  const scanning = filters.find((filter) => reachOf(collection, filter) === "all");
  const sorting = orders.find(({ attribute }) => attribute !== "" && !collection.ordered.includes(attribute));
  if (!scanning && !sorting) return;
  if (await isSmall(site, collection)) return;
  const attribute = sorting?.attribute ?? (scanning && "attribute" in scanning ? scanning.attribute : "or");
  throw new BadQuery(`Index not found: ${attribute}. Beside it, ask for one of ${collection.narrow.join(", ")}, or search.`);
}

function reachOf(collection: Collection, filter: Filter): Reach {
  if ("filters" in filter) {
    const reaches = filter.filters.map((each) => reachOf(collection, each));
    const decisive = filter.method === "and" ? reaches.includes("narrow") : reaches.every((reach) => reach === "narrow");
    if (decisive) return "narrow";
    return reaches.includes("all") ? "all" : "found";
  }
  const { method, attribute } = filter;
  if (method === "equal" && collection.narrow.includes(attribute)) return "narrow";
  if (method === "search") return "found";
  const isRange = /^(equal|between|(less|greater)Than(Equal)?)$/.test(method);
  return isRange && collection.ordered.includes(attribute) ? "found" : "all";
}

const measured = new WeakMap<Site["db"], Map<Collection, { small: boolean; until: number }>>();

async function isSmall(site: Site, collection: Collection): Promise<boolean> {
  const known = measured.get(site.db) ?? new Map();
  measured.set(site.db, known);
  const before = known.get(collection);
  if (before && before.until > performance.now()) return before.small;
  const { rows } = await sql<{
    rows: number;
  }>`select count(*) as rows from (select 1 as one from ${collection.source} limit ${fewRows + 1}) some_rows`.execute(site.db);
  const small = (rows[0]?.rows ?? 0) <= fewRows;
  known.set(collection, { small, until: performance.now() + measuredFor });
  return small;
}
