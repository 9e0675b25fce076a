import { type RawBuilder, sql } from "kysely";
import { isBeyond } from "#platform/database/keyset.ts";
import { prepareQuery } from "#platform/database/prepared.ts";
import type { Site, SiteTransaction } from "../site.ts";
import { type Counter, type Counters, type DailyCounter, dayOf, type MemberCounters } from "./counters.ts";

const nothing: Counters = {
  members: 0,
  writers: 0,
  published: 0,
  drafts: 0,
  featured: 0,
  pinned: 0,
  publishedViews: 0,
  publishedLikes: 0,
  likes: 0,
  bookmarks: 0,
  messages: 0,
  unread: 0,
  correspondents: 0,
};

export async function readCounters(site: Site): Promise<Counters> {
  const rows = await site.db
    .selectFrom("counters")
    .select((eb) => ["name", eb.fn.sum<number>("value").as("value")])
    .groupBy("name")
    .execute();
  return { ...nothing, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) };
}

const queryCounter = prepareQuery(({ db }, { name }: { name: Counter }) =>
  db
    .selectFrom("counters")
    .select((eb) => eb.fn.sum<number | null>("value").as("value"))
    .where("name", "=", name),
);

export async function readCounter(site: Site, name: Counter): Promise<number> {
  const [row] = await queryCounter(site, { name });
  return row?.value ?? 0;
}

type Days = { from: number; to: number };

export async function readDays<Name extends DailyCounter>(
  site: Site,
  names: readonly Name[],
  { from, to }: Days,
): Promise<({ day: number } & Record<Name, number>)[]> {
  const rows = await site.db
    .selectFrom("daily_counters")
    .select((eb) => ["name", "day", eb.fn.sum<number>("value").as("value")])
    .where("name", "in", names)
    .where("day", ">=", from)
    .where("day", "<=", to)
    .groupBy(["name", "day"])
    .execute();
  const values = new Map(rows.map(({ name, day, value }) => [`${name} ${day}`, value]));
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const day = from + index;
    const counts = Object.fromEntries(names.map((name) => [name, values.get(`${name} ${day}`) ?? 0]));
    return { day, ...(counts as Record<Name, number>) };
  });
}

const queryMemberCounters = prepareQuery(({ db }, { userId }: { userId: string }) =>
  db.selectFrom("member_counters").select(["posts", "published", "likesReceived", "messagesSent"]).where("userId", "=", userId),
);

export async function readMemberCounters(site: Pick<Site, "db" | "engine">, userId: string): Promise<MemberCounters> {
  const [row] = await queryMemberCounters(site, { userId });
  return row ?? { posts: 0, published: 0, likesReceived: 0, messagesSent: 0 };
}

export async function countForDay(tx: SiteTransaction, name: Exclude<DailyCounter, keyof Counters>): Promise<void> {
  await tx.db
    .insertInto("daily_counters")
    .values({ name, day: dayOf(tx.now()), shard: tx.engine === "postgres" ? sql<number>`counter_shard()` : 0, value: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["name", "day", "shard"])
        .doUpdateSet((eb) => ({ value: eb("daily_counters.value", "+", eb.ref("excluded.value")) })),
    )
    .execute();
}

/** `since`: leaves out stories published before, in milliseconds. `before`: leaves out this story and better ones. */
type BestOfDays = {
  first: number;
  last: number;
  by: "score" | "performance";
  column: "views" | "score" | "performance";
  each: number;
  since?: number;
  before?: { key: number | string; number: number } | undefined;
};

/** The best stories of each day: reads `each` index entries per day. Numbers of stories with `column`. */
export function bestOfDays({ first, last, by, column, each, since = 0, before }: BestOfDays): RawBuilder<unknown> {
  const days = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const onwards = before ? sql`and ${isBeyond([sql.ref(by), sql.ref("number")], [before.key, before.number])}` : sql``;
  const from = sql`and "publishedAt" >= ${since} ${onwards}`;
  const best = days.map(
    (day) => sql`select * from (select number, ${sql.ref(column)} from rankings where day = ${sql.lit(day)} ${from}
      order by ${sql.ref(by)} desc, number desc limit ${sql.lit(each)}) as best`,
  );
  return sql.join(best, sql` union all `);
}
