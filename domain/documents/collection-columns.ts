import { type SqlBool, sql } from "kysely";
import type { Attribute, AttributeType } from "./collection.ts";

export const column = (name: string) => sql.ref(name);
export const attribute = (type: AttributeType, name: string): Attribute => ({ type, column: column(name) });
export const attributes = (type: AttributeType, table: string, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, attribute(type, `${table}.${name}`)]));

export const byAge = ["$createdAt", "$sequence"];
/** Of most collections the age is the order that nobody has to ask for. */
export const byAgeAlone = ["", ...byAge];

export const nothing = sql<SqlBool>`1 = 0`;
/** A member who is not the viewer, for what the permissions say of others. */
export const somebodyElse = "";
