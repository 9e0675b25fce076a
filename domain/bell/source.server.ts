import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isBeyond } from "#platform/database/keyset.ts";
import { days } from "#platform/time.ts";
import type { NotificationKind } from "../notifications/kinds.ts";
import type { Entry } from "./entry.ts";

/** Milliseconds for which a story of somebody followed is told, and for which what was read is kept. */
export const notificationRetentionMs = days(90);

/** `before`: what comes after this time and key, newest first. */
export type SourcePage = {
  kinds: NotificationKind[];
  before: { at: number; key: string } | undefined;
  onlyUnread: boolean;
  limit: number;
};
/** An entry with what breaks ties among those of one source that came at the same time. */
export type KeyedEntry = { entry: Entry; key: string };

/** `(time, number) < (…)` of a page, for a source that is ordered by these columns. */
export function isBefore(
  { before }: SourcePage,
  at: string | RawBuilder<number>,
  key: string,
  isText = false,
): RawBuilder<SqlBool> | undefined {
  return (
    before && isBeyond([typeof at === "string" ? sql.ref(at) : at, sql.ref(key)], [before.at, isText ? before.key : Number(before.key)])
  );
}
