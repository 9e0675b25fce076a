import { createHash } from "node:crypto";
import { replaceNul } from "../database/parameters.ts";

export type ColumnType = "text" | "bigint" | "integer" | "boolean" | "timestamp with time zone" | "double precision" | "bytea";

export type Column = { name: string; type: ColumnType };

export type Table = { name: string; columns: Column[]; refersTo: string[] };

export type CopiedValue = string | null;

export type SqliteValue = null | bigint | number | string | Uint8Array;

export function fromSqlite(type: ColumnType, value: SqliteValue): CopiedValue {
  if (value === null) return null;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  if (type === "boolean") return value === 0n ? "f" : "t";
  if (type === "timestamp with time zone") return new Date(String(value)).toISOString();
  if (type === "double precision") return String(Number(value));
  return replaceNul([String(value)])[0] as string;
}

export function toSqlite(type: ColumnType, value: CopiedValue): SqliteValue {
  if (value === null) return null;
  if (type === "bytea") return Buffer.from(value.slice(2), "hex");
  if (type === "boolean") return value === "t" ? 1n : 0n;
  if (type === "bigint" || type === "integer") return BigInt(value);
  return type === "double precision" ? Number(value) : value;
}

export function normalizeValue(type: ColumnType, value: CopiedValue): CopiedValue {
  if (value === null) return null;
  if (type === "timestamp with time zone") return new Date(value).toISOString();
  return type === "double precision" ? String(Number(value)) : value;
}

export function sortByReferences<Some extends { name: string; refersTo: string[] }>(tables: Some[]): Some[] {
  const ordered: Some[] = [];
  while (ordered.length < tables.length) {
    const known = new Set(ordered.map((table) => table.name));
    const next = tables.filter((table) => !known.has(table.name) && table.refersTo.every((other) => known.has(other)));
    if (next.length === 0) throw new Error("Some tables refer to each other.");
    ordered.push(...next);
  }
  return ordered;
}

export const internalTables: readonly string[] = ["migrations", "migrations_lock", "definitions", "events"];

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Row count and sum of row hashes, independent of order. */
export class Checksum {
  #rows = 0;
  #sum = 0n;

  add(row: CopiedValue[]): void {
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
