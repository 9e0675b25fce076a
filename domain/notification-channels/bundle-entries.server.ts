import { sql } from "kysely";
import { bundleSources, hasVisibleRows, rowsOfBundle } from "../notifications/bundle-sources.server.ts";
import type { BundledKind } from "../notifications/kinds.ts";
import type { Member, Site } from "../site.ts";
import { entryId, maxBundleCount, type NotificationEntry } from "./entry.ts";
import { isBefore, type KeyedEntry, type SourcePage } from "./source.server.ts";

const namesPerBundle = 2;

export type BundleRow = { number: number; kind: BundledKind; postId: string | null; title: string | null } & {
  since: number;
  updatedAt: number;
  readAt: number | null;
};

export async function readBundles(site: Site, viewer: Member, page: SourcePage): Promise<KeyedEntry[]> {
  const before = isBefore(page, "n.updatedAt", "n.number");
  let query = bundles(site, viewer.id).where("n.kind", "in", page.kinds);
  if (page.onlyUnread) query = query.where("n.readAt", "is", sql.lit(null));
  const rows = await (before ? query.where(before) : query)
    .orderBy("n.updatedAt", "desc")
    .orderBy("n.number", "desc")
    .limit(page.limit)
    .execute();
  const entries = await describeBundles(site, viewer.id, rows as BundleRow[]);
  return entries.map((entry, index) => ({ entry, key: String(rows[index]?.number) }));
}

/** The member's bundles that still have visible rows. */
export function bundles({ db, now }: Pick<Site, "db" | "now">, userId: string) {
  return db
    .selectFrom("notifications as n")
    .leftJoin("posts as p", "p.id", "n.postId")
    .select(["n.number", "n.kind", "n.postId", "p.title", "n.since", "n.updatedAt", "n.readAt"])
    .where("n.userId", "=", userId)
    .where(hasVisibleRows(userId, now()));
}

type Actor = { bundle: number; id: string; name: string; profileImage: string | null; count: number };

/** Adds the number of people in each bundle and the names of the latest two. */
export async function describeBundles(site: Pick<Site, "db" | "now">, userId: string, rows: BundleRow[]): Promise<NotificationEntry[]> {
  if (rows.length === 0) return [];
  const each = rows.map((row, index) => sql`select * from (${newestOf(row, index, userId, site.now())}) newest`);
  const { rows: actors } = await sql<Actor>`
    select actors.bundle, actors.id, actors.count, p."profileImage", coalesce(p."userName", u.name) as name
    from (${sql.join(each, sql` union all `)}) actors
    left join users u on u.id = actors.id left join profiles p on p."userId" = actors.id
    order by actors.bundle, actors.at desc, actors.id`.execute(site.db);
  return rows.map(({ number, kind, postId, title, updatedAt, readAt }, index) => {
    const own = actors.filter(({ bundle }) => Number(bundle) === index);
    return {
      ...{ kind, id: entryId(kind, number), at: Number(updatedAt), isRead: readAt !== null, count: Number(own[0]?.count ?? 0) },
      // Bookmarks are private: only their owner may know of them.
      people: kind === "bookmark" ? [] : own.map(({ id, name, profileImage }) => ({ id, name, profileImage })),
      post: postId === null ? null : { id: postId, title: title ?? "" },
    };
  });
}

function newestOf({ kind, postId, since, updatedAt }: BundleRow, index: number, userId: string, now: number) {
  const actor = sql`a.${sql.ref(bundleSources[kind].actor)}`;
  const rows = rowsOfBundle(kind, { about: postId ?? userId, since, until: updatedAt }, userId, now);
  return sql`select ${sql.lit(index)} as bundle, ${actor} as id, a."createdAt" as at,
      (select count(*) from (select 1 ${rows} limit ${sql.lit(maxBundleCount)}) counted) as count
    ${rows} order by a."createdAt" desc, ${actor} limit ${sql.lit(namesPerBundle)}`;
}
