export type Value = string | number | boolean;
const comparisons = ["equal", "notEqual", "lessThan", "lessThanEqual", "greaterThan", "greaterThanEqual"] as const;
const textMatches = ["startsWith", "endsWith", "contains", "search"] as const;
const negatedMatches = ["notStartsWith", "notEndsWith", "notContains", "notSearch"] as const;
const otherFilters = ["between", "notBetween", "isNull", "isNotNull"] as const;
export const filterMethods = [...comparisons, ...textMatches, ...negatedMatches, ...otherFilters] as const;
export type FilterMethod = (typeof filterMethods)[number];

export type Filter = { method: FilterMethod; attribute: string; values: Value[] } | { method: "and" | "or"; filters: Filter[] };

export type Order = { attribute: string; direction: "asc" | "desc" };

export type DocumentQuery = {
  filters: Filter[];
  orders: Order[];
  limit: number;
  offset: number;
  cursor?: { id: string; direction: "after" | "before" } | undefined;
  select?: string[] | undefined;
  counted: boolean;
};

export const maxCounted = 5000;
export const maxListed = 1000;

/** Times in milliseconds. */
export type Document = {
  id: string;
  sequence: number;
  createdAt: number;
  updatedAt: number;
  ownerId: string | null;
  isPublic: boolean;
  /** Events about it go to its owner only. */
  isOwnerOnly?: true;
  /** Gone for all but its owner. */
  isHidden?: true;
  attributes: Record<string, Value | null>;
};

export type DocumentPage = { documents: Document[]; total: number };
