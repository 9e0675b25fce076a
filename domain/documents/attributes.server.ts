import { type SqlBool, sql } from "kysely";
import type { Attribute, AttributeType } from "./collection.ts";

export const column = (name: string) => sql.ref(name);
export const attribute = (type: AttributeType, name: string): Attribute => ({ type, column: column(name) });
export const attributes = (type: AttributeType, table: string, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, attribute(type, `${table}.${name}`)]));

export const byAge = ["$createdAt", "$sequence"];
export const nothing = sql<SqlBool>`1 = 0`;
export const byAgeAlone = ["", ...byAge];

export const somebodyElse = "";
