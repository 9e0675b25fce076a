import { type Expression, type SqlBool, sql } from "kysely";
import { readCounters } from "#domain/counters/counters.server.ts";
import type { Site } from "#domain/site.ts";

/** Hidden stories count neither as published nor as drafts; featured and pinned are the public ones. */
export type PostTotals = Record<"published" | "drafts" | "held" | "deleted" | "featured" | "pinned", number>;

export async function countPosts(site: Site): Promise<PostTotals> {
  const [{ published, drafts }, hidden, featured, pinned] = await Promise.all([
    readCounters(site),
    countHidden(site),
    countPublic(site, "featured"),
    countPublic(site, "pinned"),
  ]);
  const { held, deleted } = hidden;
  return { published, drafts: drafts - held - deleted, held, deleted, featured, pinned };
}

function countPublic(site: Site, mark: "featured" | "pinned"): Promise<number> {
  return countMarked(site, mark, sql<boolean>`status = 'active'`);
}

/** Counts with a filter: with `status` in the condition, SQLite would search its index for half of all stories. */
export async function countMarked({ db }: Site, mark: "featured" | "pinned", filter: Expression<SqlBool>): Promise<number> {
  const { count } = await db
    .selectFrom("posts")
    .select((eb) => eb.fn.countAll<number>().filterWhere(filter).as("count"))
    // A literal, as in the condition of the index.
    .where(mark, "=", sql.lit(true))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function countHidden({ db }: Site): Promise<{ held: number; deleted: number }> {
  const kind = sql<string>`(select kind from moderation_actions as hiding where hiding.id = posts."heldBy")`;
  const { hidden, deleted } = await db
    .selectFrom("posts")
    .select((eb) => [
      eb.fn.countAll<number>().as("hidden"),
      eb.fn.sum<number | string | null>(eb.case().when(kind, "=", "delete").then(1).else(0).end()).as("deleted"),
    ])
    .where("heldBy", "is not", null)
    .executeTakeFirstOrThrow();
  return { held: Number(hidden) - Number(deleted ?? 0), deleted: Number(deleted ?? 0) };
}
