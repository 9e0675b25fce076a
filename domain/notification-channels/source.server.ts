import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isBeyond } from "#platform/database/keyset.ts";
import { days } from "#platform/time.ts";
import type { NotificationKind } from "../notifications/kinds.ts";
import type { NotificationEntry } from "./entry.ts";

/** Milliseconds for which stories of followed members and read notifications are listed. */
export const notificationRetentionMs = days(90);

/** `before`: the page starts after this time and key, newest first. */
export type SourcePage = {
  kinds: NotificationKind[];
  before: { at: number; key: string } | undefined;
  onlyUnread: boolean;
  limit: number;
};
/** `key` orders entries of one source with equal times. */
export type KeyedEntry = { entry: NotificationEntry; key: string };

/** The condition `(time, number) < (…)` of a page, for a source ordered by these columns. */
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
