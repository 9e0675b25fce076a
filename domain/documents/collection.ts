import type { RawBuilder, SqlBool } from "kysely";
import type { Engine } from "#platform/database/engine.ts";
import type { Viewer } from "../site.ts";
import type { Document } from "./document.ts";

type Column = RawBuilder<unknown>;

/** `time`: milliseconds there, ISO dates in queries. */
export type AttributeType = "text" | "number" | "boolean" | "time";

export type Attribute = {
  type: AttributeType;
  column: Column;
  /** Finds texts by their words, where an index serves that. */
  search?: Search;
};

export type Search = {
  /** What is looked through for a text. */
  column: (text: string) => Column;
  /** The rows that have to be looked at, which an index has: as many as there may be. Undefined where there is none. */
  candidates: (engine: Engine, text: string) => RawBuilder<SqlBool> | undefined;
  find: (engine: Engine, text: string) => RawBuilder<SqlBool>;
  holds: (engine: Engine, text: string) => RawBuilder<SqlBool>;
  times: (text: string) => number;
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
  /** Whether nobody but its owner learns of a record; without it, `mayHear` alone says who does. */
  isOwnersAlone?: Column;
  ties: Column[];
  attributes: Record<string, Attribute>;
  /** Attributes of which one value leaves little to look at, and those by which an index keeps the rows in order. */
  narrow: string[];
  ordered: string[];
  /** Attributes whose true values have an index of their own. */
  flags?: string[];
  /**
   * By which an index has all rows in order, however many there are, and those that a narrow attribute leaves; "" is the order that
   * nobody asked for. Without them by age alone. `servedPerStatus`: only of those with one status.
   */
  served?: string[];
  servedBesideNarrow?: string[];
  servedPerStatus?: string[];
  long?: string;
  /** Nobody but administrators reads more than what is their own. */
  isOwn?: boolean;
  /** What the viewer may read; undefined for everything. */
  readable(viewer: Viewer): RawBuilder<SqlBool> | undefined;
  mayHear(viewer: Viewer, document: Document): boolean;
};

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

export type Row = {
  __id: string;
  __sequence: number;
  __createdAt: number;
  __updatedAt: number;
  __owner: string | null;
  __public: unknown;
  __ownersAlone?: unknown;
} & Record<string, unknown>;

export function documentOf(row: Row, names: string[], attributes: Collection["attributes"]): Document {
  const values = names.map((name) => [name, plainValue(row[name], attributes[name]?.type)] as const);
  return {
    id: row.__id,
    sequence: row.__sequence,
    createdAt: row.__createdAt,
    updatedAt: row.__updatedAt,
    ownerId: row.__owner,
    isPublic: Boolean(row.__public),
    ...(row.__ownersAlone ? { isOwnersAlone: true } : {}),
    attributes: Object.fromEntries(values),
  };
}

/** SQLite gives back booleans as numbers where they come out of an expression. */
function plainValue(value: unknown, type: AttributeType | undefined) {
  return (type === "boolean" && value !== null ? Boolean(value) : value) as Document["attributes"][string];
}
