import { type RawBuilder, type SqlBool, sql } from "kysely";
import { parseJson } from "../json.ts";

type Values = { number: number; text: string };
type Kind = keyof Values;
export type KeysetPosition<Kinds extends readonly Kind[]> = { [Index in keyof Kinds]: Values[Kinds[Index]] };

export function writeCursor(position: readonly (number | string)[]): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** An invalid cursor, or one of another order, starts at the beginning. */
export function readCursor<const Kinds extends readonly Kind[]>(
  cursor: string | null | undefined,
  kinds: Kinds,
): KeysetPosition<Kinds> | undefined {
  if (!cursor || cursor.length > maxCursorLength) return undefined;
  const values = parseJson(Buffer.from(cursor, "base64url").toString());
  if (!Array.isArray(values) || values.length !== kinds.length) return undefined;
  const position = kinds.map((kind, index) => (kind === "number" ? readNumber(values[index]) : readText(values[index])));
  return position.includes(undefined) ? undefined : (position as unknown as KeysetPosition<Kinds>);
}

const maxCursorLength = 4_000;

function readNumber(value: unknown): number | undefined {
  return /^-?\d{1,15}$/.test(String(value)) ? Number(value) : undefined;
}

/** PostgreSQL rejects NUL. */
function readText(value: unknown): string | undefined {
  return typeof value === "string" && !value.includes("\0") ? value : undefined;
}

/** Row comparison, which an index on these columns can answer. */
export function isBeyond(
  columns: readonly RawBuilder<unknown>[],
  position: readonly (number | string)[],
  direction: "asc" | "desc" = "desc",
): RawBuilder<SqlBool> {
  const sign = direction === "asc" ? sql`>` : sql`<`;
  return sql<SqlBool>`(${sql.join(columns)}) ${sign} (${sql.join(position)})`;
}

/** Takes `limit + 1` rows. @returns one page and the next cursor, null on the last page. */
export function cutPage<Row>(
  rows: Row[],
  limit: number,
  positionOf: (row: Row) => readonly (number | string)[],
): { rows: Row[]; next: string | null } {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), next: last === undefined ? null : writeCursor(positionOf(last)) };
}
