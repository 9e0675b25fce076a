import { sql } from "kysely";
import { readCounters, readMemberCounters } from "#domain/counters/counters.server.ts";
import type { Site } from "#domain/site.ts";
import type { Engine } from "#platform/database/engine.ts";
import type { Database } from "#platform/database/open.ts";

/** Every counter's value, and the number of rows it counts. */
export async function readAllCounters(site: Site) {
  const members = await countMembers(site.db);
  const ofMembers = await Promise.all(members.map(async ({ id }) => ({ id, ...(await readMemberCounters(site, String(id))) })));
  return {
    stored: { site: await readCounters(site), members: ofMembers, days: await readAllDays(site.db) },
    counted: { site: await countRows(site.db), members, days: await countDays(site.db, site.engine) },
  };
}

/** The counters' expected values, from the rows. */
async function countRows(db: Database) {
  const { rows } = await sql<Record<string, number>>`select
    (select count(*) from users) as members,
    (select count(distinct "userId") from posts where status = 'active') as writers,
    (select count(*) from posts where status = 'active') as published,
    (select count(*) from posts where status = 'inactive') as drafts,
    (select count(*) from posts where featured) as featured,
    (select count(*) from posts where pinned) as pinned,
    (select coalesce(sum(views), 0) from posts where status = 'active') as "publishedViews",
    (select coalesce(sum("likesCount"), 0) from posts where status = 'active') as "publishedLikes",
    (select count(*) from likes) as likes,
    (select count(*) from bookmarks) as bookmarks,
    (select count(*) from messages) as messages,
    (select coalesce(sum("unreadCount"), 0) from participants) as unread,
    (select count(*) from users u where exists (
      select 1 from participants p where p."userId" = u.id and p."lastNumber" is not null)) as correspondents`.execute(db);
  return { ...rows[0] };
}

async function countMembers(db: Database) {
  const { rows } = await sql<Record<string, number | string>>`select u.id,
    (select count(*) from posts p where p."userId" = u.id) as posts,
    (select count(*) from posts p where p."userId" = u.id and p.status = 'active') as published,
    (select coalesce(sum(p."likesCount"), 0) from posts p where p."userId" = u.id and p.status = 'active') as "likesReceived",
    (select count(*) from messages m where m."senderId" = u.id) as "messagesSent"
    from users u order by u.id`.execute(db);
  return rows.map((row) => ({ ...row }));
}

async function countDays(db: Database, engine: Engine) {
  const signUp = engine === "sqlite" ? sql`unixepoch("createdAt") / 86400` : sql`floor(extract(epoch from "createdAt") / 86400)::integer`;
  const dated = sql`"createdAt" / 86400000`;
  const ofPost = sql`case status when 'active' then coalesce("publishedAt", "createdAt")
    else coalesce("createdAt", "publishedAt") end / 86400000`;
  const { rows } = await sql<{ name: string; day: number; value: number }>`select * from (
    select 'members' as name, ${signUp} as day, count(*) as value from users group by 2
    union all select 'published', ${ofPost}, count(*) from posts where status = 'active' group by 2
    union all select 'drafts', ${ofPost}, count(*) from posts where status = 'inactive' group by 2
    union all select 'featured', ${ofPost}, count(*) from posts where featured group by 2
    union all select 'pinned', ${ofPost}, count(*) from posts where pinned group by 2
    union all select 'likes', ${dated}, count(*) from likes group by 2
    union all select 'bookmarks', ${dated}, count(*) from bookmarks group by 2
    union all select 'messages', ${dated}, count(*) from messages group by 2
  ) counted order by name, day`.execute(db);
  return rows.map((row) => ({ ...row }));
}

async function readAllDays(db: Database) {
  const rows = await db
    .selectFrom("daily_counters")
    .select((eb) => ["name", "day", eb.fn.sum<number>("value").as("value")])
    .where("name", "<>", "views")
    .groupBy(["name", "day"])
    .orderBy("name")
    .orderBy("day")
    .execute();
  return rows.filter((row) => row.value !== 0).map((row) => ({ ...row }));
}
