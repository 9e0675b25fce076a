import { createHash } from "node:crypto";
import { storable } from "#platform/database/parameters.ts";

/** What PostgreSQL calls the types of our columns. */
export type ColumnType = "text" | "bigint" | "integer" | "boolean" | "timestamp with time zone" | "double precision" | "bytea";

export type Column = { name: string; type: ColumnType };

/** A value as text, the same on both engines for the same value; PostgreSQL accepts it as input of the column's type. */
export type Canonical = string | null;

export type SqliteValue = null | bigint | number | string | Uint8Array;

/** A value that SQLite read, integers as bigint. */
export function fromSqlite(type: ColumnType, value: SqliteValue): Canonical {
  if (value === null) return null;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  if (type === "boolean") return value === 0n ? "f" : "t";
  if (type === "timestamp with time zone") return new Date(String(value)).toISOString();
  if (type === "double precision") return String(Number(value));
  return storable([String(value)])[0] as string;
}

/** A value in the text that PostgreSQL sends, its time zone being UTC. */
export function fromPostgres(type: ColumnType, value: string | null): Canonical {
  if (value === null) return null;
  if (type === "timestamp with time zone") return new Date(value).toISOString();
  if (type === "double precision") return String(Number(value));
  return value;
}

/** Of a whole table: how many rows, and the sum of their hashes, which does not depend on their order. */
export class Checksum {
  #rows = 0;
  #sum = 0n;

  add(row: Canonical[]): void {
    this.#rows++;
    this.#sum += BigInt(`0x${createHash("sha256").update(JSON.stringify(row)).digest("hex")}`);
  }

  get rows(): number {
    return this.#rows;
  }

  toString(): string {
    return BigInt.asUintN(256, this.#sum).toString(16).padStart(64, "0");
  }
}
