import { type DocumentQuery, type Filter, type FilterMethod, filterMethods, type Order, type Value } from "#domain/documents/document.ts";
import { apiIdPattern } from "#platform/ids.ts";
import { parseJson } from "#platform/json.ts";
import { ApiError } from "./errors.ts";

const defaultLimit = 25;
const maxValues = 100;
const maxValuesTotal = 500;
const maxConditions = 100;
const maxQueryDepth = 5;
/** Each runs a full-text search several times. */
const maxSearches = 3;
const maxTextValues = 20;
const maxTextValueLength = 128;
const maxOrders = 5;
/** Later pages need a cursor. */
const maxOffset = 5_000;
const textMethods = /^(not)?(startsWith|endsWith|contains)$/i;

type RawQuery = { method: string; attribute?: string | undefined; values: unknown[] };

const dateMethods: Record<string, { attribute: string; method: FilterMethod }> = {
  createdBefore: { attribute: "$createdAt", method: "lessThan" },
  createdAfter: { attribute: "$createdAt", method: "greaterThan" },
  createdBetween: { attribute: "$createdAt", method: "between" },
  updatedBefore: { attribute: "$updatedAt", method: "lessThan" },
  updatedAfter: { attribute: "$updatedAt", method: "greaterThan" },
  updatedBetween: { attribute: "$updatedAt", method: "between" },
};

export function readQueries(texts: string[], counted = true): DocumentQuery {
  const query: DocumentQuery = { filters: [], orders: [], limit: defaultLimit, offset: 0, counted };
  const budget = { conditions: maxConditions, values: maxValuesTotal, searches: maxSearches };
  const seen = new Set<string>();
  for (const text of texts) {
    const rawQuery = parse(text);
    // The first limit, offset and cursor count.
    const key = rawQuery.method.replace(/^cursor.*/, "cursor");
    const isRepeated = seen.has(key);
    seen.add(key);
    switch (rawQuery.method) {
      case "limit": {
        const limit = numberIn(rawQuery, 1);
        if (!isRepeated) query.limit = limit;
        break;
      }
      case "offset": {
        const offset = numberIn(rawQuery, 0, maxOffset);
        if (!isRepeated) query.offset = offset;
        break;
      }
      case "cursorAfter":
      case "cursorBefore":
        if (!isRepeated) query.cursor = { id: cursorIn(rawQuery), direction: rawQuery.method === "cursorAfter" ? "after" : "before" };
        break;
      case "select":
        query.select = [...(query.select ?? []), ...selectIn(rawQuery)];
        break;
      case "orderAsc":
      case "orderDesc":
        query.orders.push(orderIn(rawQuery));
        if (query.orders.length > maxOrders) throw new ApiError("general_query_limit_exceeded");
        break;
      default:
        query.filters.push(filterIn(rawQuery, budget, 0));
    }
  }
  return query;
}

function invalid(message: string): ApiError {
  return new ApiError("general_query_invalid", message);
}

function parse(text: string): RawQuery {
  const value = parseJson(text);
  if (value === undefined) throw invalid("Invalid query: Syntax error");
  return parseQueryObject(value);
}

function parseQueryObject(value: unknown): RawQuery {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid("Invalid query. Must be an array, got something else");
  const { method, attribute, values = [] } = value as Record<string, unknown>;
  if (typeof method !== "string") throw invalid("Invalid query method. Must be a string");
  if (attribute !== undefined && attribute !== null && typeof attribute !== "string")
    throw invalid("Invalid query attribute. Must be a string");
  if (!Array.isArray(values)) throw invalid(`Invalid query values. Must be an array, got ${typeof values}`);
  if (values.length > maxValues)
    throw invalid(`Invalid query: Query on attribute has greater than ${maxValues} values: ${String(attribute).slice(0, 100)}`);
  return { method, attribute: attribute ?? undefined, values };
}

function numberIn({ method, values }: RawQuery, min: number, max = Number.POSITIVE_INFINITY): number {
  const [value] = values;
  const isNumber = typeof value === "number" && Number.isInteger(value) && value >= min && value <= max && values.length === 1;
  const end = max === Number.POSITIVE_INFINITY ? "9,223,372,036,854,775,807" : max.toLocaleString("en");
  if (!isNumber) throw invalid(`Invalid query: Invalid ${method}: Value must be a valid range between ${min} and ${end}`);
  return Math.min(value, 1_000_000_000);
}

function cursorIn({ values }: RawQuery): string {
  const [id] = values;
  if (typeof id === "string" && apiIdPattern.test(id)) return id;
  throw invalid("Invalid query: Invalid cursor: UID must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, and underscore.");
}

function selectIn({ values }: RawQuery): string[] {
  if (values.length === 0) throw invalid("Invalid query: No attributes selected");
  return values.map((name) => {
    if (typeof name !== "string") throw invalid("Invalid query: Attribute not found in schema");
    return name;
  });
}

function orderIn({ method, attribute = "" }: RawQuery): Order {
  return { attribute, direction: method === "orderAsc" ? "asc" : "desc" };
}

type Budget = { conditions: number; values: number; searches: number };

function filterIn({ method, attribute, values }: RawQuery, budget: Budget, depth: number): Filter {
  budget.conditions -= 1;
  budget.values -= values.length;
  if (method === "search") budget.searches -= 1;
  if (Math.min(budget.conditions, budget.values, budget.searches) < 0 || depth > maxQueryDepth)
    throw new ApiError("general_query_limit_exceeded");
  if (method === "and" || method === "or") {
    if (values.length < 2) throw invalid(`Invalid query: ${method === "and" ? "And" : "Or"} queries require at least two queries`);
    return { method, filters: values.map((value) => filterIn(parseQueryObject(value), budget, depth + 1)) };
  }
  const known = Object.hasOwn(dateMethods, method) ? dateMethods[method] : undefined;
  const name = known?.attribute ?? attribute;
  const filter = known?.method ?? (filterMethods as readonly string[]).find((each) => each === method);
  if (!filter) throw invalid(`Invalid query method: ${method.slice(0, 100)}`);
  if (name === undefined) throw invalid("Invalid query: Attribute is missing");
  const isTextMethod = textMethods.test(filter);
  if (
    isTextMethod &&
    (values.length > maxTextValues || values.some((value) => typeof value === "string" && value.length > maxTextValueLength))
  )
    throw new ApiError("general_query_limit_exceeded");
  return { method: filter as FilterMethod, attribute: name, values: values.map(filterValueReader(name)) };
}

function filterValueReader(name: string) {
  return (value: unknown): Value => {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
    throw invalid(`Invalid query: Query value is invalid for attribute "${name.slice(0, 100)}"`);
  };
}
