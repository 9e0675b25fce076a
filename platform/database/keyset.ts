import { type RawBuilder, type SqlBool, sql } from "kysely";

type Values = { number: number; text: string };
type Kind = keyof Values;
/** Where a row is in its list: its values in the columns that the list is ordered by. */
export type KeysetPosition<Kinds extends readonly Kind[]> = { [Index in keyof Kinds]: Values[Kinds[Index]] };

/** Where the page after a row begins, as pages and clients keep it. Big integers may come from the database as text. */
export function writeCursor(place: readonly (number | string)[]): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** A cursor that was tampered with, or that belongs to another order, starts at the beginning. */
export function readCursor<const Kinds extends readonly Kind[]>(
  cursor: string | null | undefined,
  kinds: Kinds,
): KeysetPosition<Kinds> | undefined {
  if (!cursor || cursor.length > maxCursorLength) return undefined;
  const values = parse(Buffer.from(cursor, "base64url").toString());
  if (!Array.isArray(values) || values.length !== kinds.length) return undefined;
  const place = kinds.map((kind, index) => (kind === "number" ? readNumber(values[index]) : readText(values[index])));
  return place.includes(undefined) ? undefined : (place as unknown as KeysetPosition<Kinds>);
}

const maxCursorLength = 4_000;

function readNumber(value: unknown): number | undefined {
  return /^-?\d{1,15}$/.test(String(value)) ? Number(value) : undefined;
}

/** PostgreSQL takes no zero character. */
function readText(value: unknown): string | undefined {
  return typeof value === "string" && !value.includes("\0") ? value : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `(key, tie) < (…)`, which an index on these columns answers. */
export function isBeyond(
  columns: readonly RawBuilder<unknown>[],
  place: readonly (number | string)[],
  direction: "asc" | "desc" = "desc",
): RawBuilder<SqlBool> {
  const sign = direction === "asc" ? sql`>` : sql`<`;
  return sql<SqlBool>`(${sql.join(columns)}) ${sign} (${sql.join(place)})`;
}

/** Of one row more than a page holds: the page, and the cursor of the next one; null on the last. */
export function cutPage<Row>(
  rows: Row[],
  limit: number,
  placeOf: (row: Row) => readonly (number | string)[],
): { rows: Row[]; next: string | null } {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), next: last === undefined ? null : writeCursor(placeOf(last)) };
}
