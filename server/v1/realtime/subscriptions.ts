import type { Filter, Value } from "#domain/documents/document.ts";
import { capitalize } from "#domain/format.ts";
import { readQueries } from "../queries.ts";

export type Payload = Record<string, unknown>;

export type Subscription = { channels: Set<string>; filters: Filter[] };

const allowed = ["equal", "notEqual", "lessThan", "lessThanEqual", "greaterThan", "greaterThanEqual", "isNull", "isNotNull", "and", "or"];

/** @throws ApiError; BadSubscription for a query that an event alone can't answer. */
export function readFilters(texts: string[]): Filter[] {
  const { filters, orders, select, cursor } = readQueries(texts);
  const selectsAll = select === undefined || (select.length === 1 && select[0] === "*");
  if (orders.length > 0 || cursor || !selectsAll || !filters.every(isAllowed))
    throw new BadSubscription("Invalid query: this method can't be used here");
  for (const filter of filters) checkValues(filter);
  return filters;
}

/** As in lists: several values are alternatives, which only `equal` has. */
function checkValues(filter: Filter): void {
  if ("filters" in filter) {
    for (const each of filter.filters) checkValues(each);
    return;
  }
  const { method, values } = filter;
  if (method === "isNull" || method === "isNotNull") return;
  const isValid = method === "equal" ? values.length > 0 : values.length === 1;
  const required = method === "equal" ? "at least" : "exactly";
  if (!isValid) throw new BadSubscription(`Invalid query: ${capitalize(method)} queries require ${required} one value.`);
}

export class BadSubscription extends Error {}

export type SubscriptionLimits = {
  subscriptions: number;
  channels: number;
  /** Channels, conditions and values of all subscriptions, which each event is compared with. */
  parts: number;
};

export class SubscriptionList {
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #channels = new Map<string, number>();
  readonly #changed = new Set<string>();
  #parts = 0;

  get channels(): string[] {
    return [...this.#channels.keys()];
  }

  hasChannel(name: string): boolean {
    return this.#channels.has(name);
  }

  set(id: string, subscription: Subscription, limits: SubscriptionLimits): void {
    const before = this.#subscriptions.get(id);
    this.delete(id);
    this.#add(id, subscription);
    const isTooMuch =
      this.#subscriptions.size > limits.subscriptions || this.#channels.size > limits.channels || this.#parts > limits.parts;
    if (!isTooMuch) return;
    this.delete(id);
    if (before) this.#add(id, before);
    throw new BadSubscription("Too many subscriptions.");
  }

  delete(id: string): boolean {
    const subscription = this.#subscriptions.get(id);
    if (!subscription) return false;
    this.#subscriptions.delete(id);
    this.#parts -= partsOf(subscription);
    for (const channel of subscription.channels) this.#count(channel, -1);
    return true;
  }

  matching(channels: string[], payload: Payload): string[] {
    return [...this.#subscriptions]
      .filter(([, { channels: subscribed, filters }]) => {
        return channels.some((channel) => subscribed.has(channel)) && filters.every((filter) => matchesFilter(filter, payload));
      })
      .map(([id]) => id);
  }

  takeChanged(): string[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  #add(id: string, subscription: Subscription): void {
    this.#subscriptions.set(id, subscription);
    this.#parts += partsOf(subscription);
    for (const channel of subscription.channels) this.#count(channel, 1);
  }

  #count(channel: string, change: 1 | -1): void {
    const count = (this.#channels.get(channel) ?? 0) + change;
    if (count > 0) this.#channels.set(channel, count);
    else this.#channels.delete(channel);
    this.#changed.add(channel);
  }
}

function partsOf({ channels, filters }: Subscription): number {
  return channels.size + conditionsOf(filters);
}

function conditionsOf(filters: Filter[]): number {
  return filters.reduce((sum, filter) => sum + 1 + ("filters" in filter ? conditionsOf(filter.filters) : filter.values.length), 0);
}

function isAllowed(filter: Filter): boolean {
  return allowed.includes(filter.method) && (!("filters" in filter) || filter.filters.every(isAllowed));
}

export function matchesFilter(filter: Filter, payload: Payload): boolean {
  if ("filters" in filter)
    return filter.method === "and"
      ? filter.filters.every((each) => matchesFilter(each, payload))
      : filter.filters.some((each) => matchesFilter(each, payload));
  const { method, attribute, values } = filter;
  const actual = (Object.hasOwn(payload, attribute) ? payload[attribute] : undefined) as Value | null | undefined;
  if (method === "isNull") return actual === null || actual === undefined;
  if (actual === null || actual === undefined) return false;
  if (method === "isNotNull") return true;
  return values.some((value) => satisfies(method, actual, value));
}

function satisfies(method: string, actual: Value, value: Value): boolean {
  if (method === "equal") return actual === value;
  if (method === "notEqual") return actual !== value;
  if (typeof actual !== typeof value) return false;
  if (method === "lessThan") return actual < value;
  if (method === "lessThanEqual") return actual <= value;
  return method === "greaterThan" ? actual > value : actual >= value;
}
