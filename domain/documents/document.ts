/** What can be asked of a collection of documents: a closed language, made of nothing but this. */
export const collectionNames = ["posts", "profiles", "likes", "bookmarks", "messages", "conversations", "follows", "reports"] as const;
export type CollectionName = (typeof collectionNames)[number];
/** Files are asked for in the same language. */
export type ListName = CollectionName | "files";

export type Value = string | number | boolean;
export const comparisons = ["equal", "notEqual", "lessThan", "lessThanEqual", "greaterThan", "greaterThanEqual"] as const;
export const textMatches = ["startsWith", "endsWith", "contains", "search"] as const;
export const negatedMatches = ["notStartsWith", "notEndsWith", "notContains", "notSearch"] as const;
export const otherFilters = ["between", "notBetween", "isNull", "isNotNull"] as const;
export const filterMethods = [...comparisons, ...textMatches, ...negatedMatches, ...otherFilters] as const;
export type FilterMethod = (typeof filterMethods)[number];

export type Filter = { method: FilterMethod; attribute: string; values: Value[] } | { method: "and" | "or"; filters: Filter[] };

export type Order = { attribute: string; direction: "asc" | "desc" };

export type DocumentQuery = {
  /** All of them hold. */
  filters: Filter[];
  orders: Order[];
  limit: number;
  offset: number;
  cursor?: { id: string; direction: "after" | "before" } | undefined;
  /** Attributes to answer with; all without it. */
  select?: string[] | undefined;
  /** Whether to count what matches, up to `countedAtMost`. */
  counted: boolean;
};

export const countedAtMost = 5000;
/** What one answer holds at most, whatever limit is asked for. */
export const listedAtMost = 1000;

/** A record as clients see it, but for the names of where it lies. Times are milliseconds. */
export type Document = {
  id: string;
  sequence: number;
  createdAt: number;
  updatedAt: number;
  /** Whose it is, and whether everybody may read it: what permissions are told of it. */
  ownerId: string | null;
  isPublic: boolean;
  attributes: Record<string, Value | null>;
};

export type DocumentPage = { documents: Document[]; total: number };
