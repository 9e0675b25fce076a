import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Engine } from "#platform/database/engine.ts";
import { contains } from "#platform/database/search/contains.ts";
import { Invalid } from "../refusals.ts";
import { type Attribute, attributeOf, type Collection } from "./collection.ts";
import type { Filter, FilterMethod, Value } from "./document.ts";

export type BadQuery = { kind: "bad-query"; cursor?: "not-found" | "without-order" };

export function badQuery(message: string, cursor?: BadQuery["cursor"]): Invalid {
  return new Invalid(message, undefined, { kind: "bad-query", ...(cursor && { cursor }) } satisfies BadQuery);
}

type Condition = RawBuilder<SqlBool>;

/** A condition of the database for one of the closed language. @throws Invalid (badQuery). */
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
  return method === "search" ? attribute.search.find(engine, words) : sql<SqlBool>`not ${attribute.search.holds(engine, words)}`;
}

/** By their bytes, as everything here is compared. */
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
      // Columns are whole numbers; what is compared with them needn't be one, nor fit into one.
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

function capitalize(method: string): string {
  return method.charAt(0).toUpperCase() + method.slice(1);
}
