import { type RawBuilder, type SqlBool, sql } from "kysely";
import { capitalize } from "#domain/format.ts";
import type { Engine } from "#platform/database/engine.ts";
import { contains } from "#platform/database/search/contains.ts";
import { Invalid } from "../refusals.ts";
import type { Viewer } from "../site.ts";
import type { Document, Filter, FilterMethod, Value } from "./document.ts";

type Column = RawBuilder<unknown>;
type Condition = RawBuilder<SqlBool>;

/** `time`: milliseconds in the column, ISO dates in queries. */
export type AttributeType = "text" | "number" | "boolean" | "time";

export type Attribute = {
  type: AttributeType;
  column: Column;
  search?: Search;
};

export type Search = {
  /** What a search scans. */
  column: (text: string) => Column;
  /** The bounded set of rows that an index finds; undefined without an index. */
  candidates: (engine: Engine, text: string) => RawBuilder<SqlBool> | undefined;
  find: (engine: Engine, text: string) => RawBuilder<SqlBool>;
  contains: (engine: Engine, text: string) => RawBuilder<SqlBool>;
  scansPerRow: (text: string) => number;
};

export type Collection = {
  /** `from` and its joins. */
  source: RawBuilder<unknown>;
  id: Column;
  sequence: Column;
  createdAt: Column;
  updatedAt: Column;
  ownerId: Column;
  isPublic: Column;
  /** If true, only the owner gets events of a record. */
  isOwnerOnly?: Column;
  tieBreakers: Column[];
  attributes: Record<string, Attribute>;
  /** Attributes of which one value leaves few rows, and attributes with an index. */
  selectiveAttributes: string[];
  rangeIndexedAttributes: string[];
  /** Attributes with a partial index for `true`. */
  partialIndexFlags?: string[];
  /**
   * Orders that an index serves for all rows, and for those that a selective attribute leaves. Default: age. "" is the default order.
   * `indexedOrdersPerStatus`: only with a single status.
   */
  indexedOrders?: string[];
  indexedOrdersWhenSelective?: string[];
  indexedOrdersPerStatus?: string[];
  longAttribute?: string;
  /** Members read only their own records. */
  isOwn?: boolean;
  /** Undefined: everything. */
  readable(viewer: Viewer): RawBuilder<SqlBool> | undefined;
  mayReceive(viewer: Viewer, document: Document): boolean;
};

export const column = (name: string) => sql.ref(name);
export const attribute = (type: AttributeType, name: string): Attribute => ({ type, column: column(name) });
export const attributes = (type: AttributeType, table: string, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, attribute(type, `${table}.${name}`)]));

export const byAge = ["$createdAt", "$sequence"];
export const byAgeOnly = ["", ...byAge];
export const noRows = sql<SqlBool>`1 = 0`;

/** Stands for any member but the viewer where a permission asks for an owner. */
export const otherMember = "";

export function attributeOf(collection: Collection, name: string): Attribute | undefined {
  switch (name) {
    case "$id":
      return { type: "text", column: collection.id };
    case "$sequence":
      return { type: "number", column: collection.sequence };
    case "$createdAt":
      return { type: "time", column: collection.createdAt };
    case "$updatedAt":
      return { type: "time", column: collection.updatedAt };
    default:
      return Object.hasOwn(collection.attributes, name) ? collection.attributes[name] : undefined;
  }
}

export type BadQuery = { kind: "bad-query"; cursor?: "not-found" | "without-order" };

export function badQuery(message: string, cursor?: BadQuery["cursor"]): Invalid {
  return new Invalid(message, undefined, { kind: "bad-query", ...(cursor && { cursor }) } satisfies BadQuery);
}

/** @throws Invalid ("bad-query"). */
export function conditionOf(engine: Engine, collection: Collection, filter: Filter): Condition {
  if ("filters" in filter) {
    const parts = filter.filters.map((part) => conditionOf(engine, collection, part));
    return sql<SqlBool>`(${sql.join(parts, filter.method === "and" ? sql` and ` : sql` or `)})`;
  }
  const attribute = attributeOf(collection, filter.attribute);
  if (!attribute) throw badQuery(`Attribute not found in schema: ${filter.attribute}`);
  return compare(engine, attribute, filter);
}

const signs: Partial<Record<FilterMethod, RawBuilder<unknown>>> = {
  notEqual: sql`<>`,
  lessThan: sql`<`,
  lessThanEqual: sql`<=`,
  greaterThan: sql`>`,
  greaterThanEqual: sql`>=`,
};

function compare(
  engine: Engine,
  attribute: Attribute,
  { method, attribute: name, values }: Exclude<Filter, { filters: Filter[] }>,
): Condition {
  const { column, type } = attribute;
  const read = (value: Value | undefined) => valueFor(engine, attribute, name, value);
  const sign = signs[method];
  if (sign) return sql<SqlBool>`${column} ${sign} ${read(onlyValue(method, values))}`;
  switch (method) {
    case "isNull":
      return sql<SqlBool>`${column} is null`;
    case "isNotNull":
      return sql<SqlBool>`${column} is not null`;
    case "equal": {
      const [first, ...others] = severalValues(method, values).map(read);
      return others.length === 0 ? sql<SqlBool>`${column} = ${first}` : sql<SqlBool>`${column} in (${sql.join([first, ...others])})`;
    }
    case "between":
    case "notBetween": {
      if (values.length !== 2) throw badQuery(`${capitalize(method)} queries require exactly two values.`);
      const not = method === "notBetween" ? sql`not` : sql``;
      return sql<SqlBool>`${column} ${not} between ${read(values[0])} and ${read(values[1])}`;
    }
    case "search":
    case "notSearch":
      return search(engine, attribute, name, method, onlyValue(method, values));
    default:
      if (type !== "text") throw badQuery(`Cannot query ${method} on attribute "${name}" because it is not a string.`);
      return matchText(
        engine,
        column,
        method,
        severalValues(method, values).map((value) => requireText(name, value)),
      );
  }
}

function search(engine: Engine, attribute: Attribute, name: string, method: FilterMethod, value: Value): Condition {
  if (!attribute.search) throw badQuery(`Searching by attribute "${name}" requires a fulltext index.`);
  const words = requireText(name, value);
  return method === "search" ? attribute.search.find(engine, words) : sql<SqlBool>`not ${attribute.search.contains(engine, words)}`;
}

/** Compares bytes. */
function matchText(engine: Engine, column: RawBuilder<unknown>, method: FilterMethod, values: string[]): Condition {
  const not = method.startsWith("not");
  const kind = method.replace(/^not(.)/, (_all, first: string) => first.toLowerCase());
  if (kind !== "contains" && values.length !== 1) throw badQuery(`${capitalize(method)} queries require exactly one value.`);
  const parts = values.map((value) => {
    if (kind === "contains") return contains(engine, column, value);
    const part = sql`cast(${value} as text)`;
    if (kind === "startsWith") return sql<SqlBool>`substr(${column}, 1, length(${part})) = ${part}`;
    return sql<SqlBool>`(length(${column}) >= length(${part}) and substr(${column}, length(${column}) - length(${part}) + 1) = ${part})`;
  });
  const any = sql<SqlBool>`(${sql.join(parts, sql` or `)})`;
  return not ? sql<SqlBool>`not ${any}` : any;
}

function valueFor(engine: Engine, { type }: Attribute, name: string, value: Value | undefined): RawBuilder<unknown> {
  switch (type) {
    case "text":
      return sql`${requireText(name, value)}`;
    case "boolean":
      if (typeof value !== "boolean") throw wrongType(name);
      return value ? sql.lit(true) : sql.lit(false);
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value)) throw wrongType(name);
      // The column is an integer; the value may be a fraction or too large for one.
      return Number.isSafeInteger(value) && Math.abs(value) < 2 ** 31 ? sql`${value}` : sql`cast(${value} as ${doubleType(engine)})`;
    case "time": {
      const time = typeof value === "string" && value.length < 50 ? Date.parse(value) : Number.NaN;
      if (Number.isNaN(time)) throw wrongType(name);
      return sql`${time}`;
    }
  }
}

function doubleType(engine: Engine): RawBuilder<unknown> {
  return engine === "sqlite" ? sql`real` : sql`double precision`;
}

function requireText(name: string, value: Value | undefined): string {
  if (typeof value !== "string") throw wrongType(name);
  return value;
}

function wrongType(name: string): Invalid {
  return badQuery(`Query value is invalid for attribute "${name}"`);
}

function onlyValue(method: FilterMethod, values: Value[]): Value {
  if (values.length !== 1) throw badQuery(`${capitalize(method)} queries require exactly one value.`);
  return values[0] as Value;
}

function severalValues(method: FilterMethod, values: Value[]): Value[] {
  if (values.length === 0) throw badQuery(`${capitalize(method)} queries require at least one value.`);
  return values;
}
