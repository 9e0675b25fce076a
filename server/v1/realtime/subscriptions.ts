import type { Filter, Value } from "#domain/documents/document.ts";
import { readQueries } from "../queries.ts";

export type Payload = Record<string, unknown>;

/** What a client wants to hear: on any of these channels, what all of these queries hold of. */
export type Subscription = { channels: Set<string>; filters: Filter[] };

const allowed = ["equal", "notEqual", "lessThan", "lessThanEqual", "greaterThan", "greaterThanEqual", "isNull", "isNotNull", "and", "or"];

/** @throws ApiError or BadSubscription for a query that can't be judged by what happened alone. */
export function readFilters(texts: string[]): Filter[] {
  const { filters, orders, select, cursor } = readQueries(texts);
  const selectsAll = select === undefined || (select.length === 1 && select[0] === "*");
  if (orders.length > 0 || cursor || !selectsAll || !filters.every(isAllowed))
    throw new BadSubscription("Invalid query: this method can't be used here");
  return filters;
}

export class BadSubscription extends Error {}

function isAllowed(filter: Filter): boolean {
  return allowed.includes(filter.method) && (!("filters" in filter) || filter.filters.every(isAllowed));
}

/** Whether queries hold of a payload. */
export function holds(filter: Filter, payload: Payload): boolean {
  if ("filters" in filter)
    return filter.method === "and"
      ? filter.filters.every((each) => holds(each, payload))
      : filter.filters.some((each) => holds(each, payload));
  const { method, attribute, values } = filter;
  const own = (Object.hasOwn(payload, attribute) ? payload[attribute] : undefined) as Value | null | undefined;
  if (method === "isNull") return own === null || own === undefined;
  if (own === null || own === undefined) return false;
  if (method === "isNotNull") return true;
  return values.some((value) => compares(method, own, value));
}

function compares(method: string, own: Value, value: Value): boolean {
  if (method === "equal") return own === value;
  if (method === "notEqual") return own !== value;
  if (typeof own !== typeof value) return false;
  if (method === "lessThan") return own < value;
  if (method === "lessThanEqual") return own <= value;
  return method === "greaterThan" ? own > value : own >= value;
}
