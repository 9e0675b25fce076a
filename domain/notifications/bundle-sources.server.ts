import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { BundledKind } from "./kinds.ts";

type Source = { table: string; actor: string; about: string };

/** Where the rows are that a bundle tells of. It keeps no copy of them: whoever takes a like back is gone from it. */
export const bundleSources: Record<BundledKind, Source> = {
  follower: { table: "follows", actor: "followerId", about: "followedId" },
  like: { table: "likes", actor: "userId", about: "postId" },
  bookmark: { table: "bookmarks", actor: "userId", about: "postId" },
};

type Bundle = { about: unknown; since: unknown; until: unknown };

/** `from … where …` of the rows of a bundle, under the name `a`; whoever the recipient has blocked, or is suspended, is left out. */
export function rowsOfBundle(kind: BundledKind, { about, since, until }: Bundle, userId: string, now: number): RawBuilder<unknown> {
  const { table, actor, about: column } = bundleSources[kind];
  return sql`from ${sql.table(table)} a where a.${sql.ref(column)} = ${about} and a."createdAt" >= ${since} and a."createdAt" <= ${until}
    and ${isVisibleActor(sql`a.${sql.ref(actor)}`, userId, now)}`;
}

/** Whether what a member does is shown to another. */
export function isVisibleActor(actor: RawBuilder<unknown>, userId: string | RawBuilder<unknown>, now: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(not exists (select 1 from blocks where blocks."userId" = ${userId} and blocks."blockedId" = ${actor})
    and not exists (select 1 from suspensions where suspensions."userId" = ${actor} and suspensions.until > ${now}))`;
}

const bundled = Object.keys(bundleSources) as BundledKind[];

/** Whether anything is left of the row `n` of `notifications`, of a story that everybody can read. */
export function isLeft(userId: string, now: number): RawBuilder<SqlBool> {
  const cases = bundled.map((kind) => {
    const about = bundleSources[kind].about === "postId" ? sql`n."postId"` : userId;
    const rows = rowsOfBundle(kind, { about, since: sql`n.since`, until: sql`n."updatedAt"` }, userId, now);
    return sql`when ${sql.lit(kind)} then exists (select 1 ${rows})`;
  });
  return sql<SqlBool>`((n."postId" is null or exists (select 1 from posts where posts.id = n."postId" and posts.status = 'active'))
    and case n.kind ${sql.join(cases, sql` `)} else ${sql.lit(false)} end)`;
}
