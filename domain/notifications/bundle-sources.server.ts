import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { BundledKind } from "./kinds.ts";

type Source = { table: string; actor: string; about: string };

/** The tables that a bundle summarizes. Nothing is copied: an undone like disappears from its bundle. */
export const bundleSources: Record<BundledKind, Source> = {
  follower: { table: "follows", actor: "followerId", about: "followedId" },
  like: { table: "likes", actor: "userId", about: "postId" },
  bookmark: { table: "bookmarks", actor: "userId", about: "postId" },
};

type Bundle = { about: unknown; since: unknown; until: unknown };

/** Without the member's own likes and bookmarks. */
export function rowsOfBundle(
  kind: BundledKind,
  { about, since, until }: Bundle,
  userId: string | RawBuilder<unknown>,
  now: number,
): RawBuilder<unknown> {
  const { table, actor: column, about: subject } = bundleSources[kind];
  const actor = sql`a.${sql.ref(column)}`;
  return sql`from ${sql.table(table)} a where a.${sql.ref(subject)} = ${about} and a."createdAt" >= ${since} and a."createdAt" <= ${until}
    and ${actor} <> ${userId} and ${isVisibleActor(actor, userId, now)}`;
}

export function isVisibleActor(actor: RawBuilder<unknown>, userId: string | RawBuilder<unknown>, now: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(not exists (select 1 from blocks where blocks."userId" = ${userId} and blocks."blockedId" = ${actor})
    and not exists (select 1 from suspensions where suspensions."userId" = ${actor} and suspensions.until > ${now}))`;
}

const bundled = Object.keys(bundleSources) as BundledKind[];

/** Whether the notification `n` still has visible rows and, if it is about a story, a published one. */
export function hasVisibleRows(userId: string | RawBuilder<unknown>, now: number): RawBuilder<SqlBool> {
  const cases = bundled.map((kind) => {
    const about = bundleSources[kind].about === "postId" ? sql`n."postId"` : userId;
    const rows = rowsOfBundle(kind, { about, since: sql`n.since`, until: sql`n."updatedAt"` }, userId, now);
    return sql`when ${sql.lit(kind)} then exists (select 1 ${rows})`;
  });
  return sql<SqlBool>`((n."postId" is null or exists (select 1 from posts where posts.id = n."postId" and posts.status = 'active'))
    and case n.kind ${sql.join(cases, sql` `)} else ${sql.lit(false)} end)`;
}
