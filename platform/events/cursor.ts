import type { Engine } from "../database/engine.ts";

/**
 * A place in the order of events: the number of the row and, on PostgreSQL, before it that of the transaction that wrote
 * it. Outside this folder a cursor is a text that means nothing.
 */
export type Position = { transaction: bigint; number: number };

const forms = { sqlite: /^()(\d{1,15})$/, postgres: /^(\d{1,19})-(\d{1,15})$/ };

export function writeCursor(engine: Engine, { transaction, number }: Position): string {
  return engine === "sqlite" ? String(number) : `${transaction}-${number}`;
}

/** Undefined for what is no cursor of this engine: browsers keep theirs while a site moves from one to the other. */
export function readCursor(engine: Engine, cursor: string): Position | undefined {
  const match = forms[engine].exec(cursor);
  return match ? { transaction: BigInt(match[1] || 0), number: Number(match[2]) } : undefined;
}

export function isAfter(one: Position, other: Position): boolean {
  return one.transaction === other.transaction ? one.number > other.number : one.transaction > other.transaction;
}
