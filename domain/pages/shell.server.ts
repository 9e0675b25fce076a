import { type RawBuilder, sql } from "kysely";
import type { Engine } from "#platform/database/engine.ts";
import { jsonRows } from "#platform/database/json-rows.ts";
import { prepareQuery } from "#platform/database/prepared.ts";
import type { UnreadCounts } from "../live.ts";
import { unreadMessages } from "../messages/conversations.server.ts";
import { countsNewPosts, unreadNotifications } from "../notification-channels/count.server.ts";
import { may } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";

/**
 * Counts for the header. `posts`: whether stories of followed members count as notifications. `countedAt`: the database's time, to tell
 * which of two counts is newer.
 */
export type ShellCounts = { unread: number; notifications: number; posts: boolean; reports: number; countedAt: number };

type CountsRow = Record<keyof ShellCounts, number | string | null>;

/** One query, since every page needs it. `reports` is 1 for viewers who see their count. */
const queryCounts = prepareQuery(
  ({ engine }, { viewerId, now, reports }: { viewerId: string; now: number; reports: number }) => sql<CountsRow>`
    select ${unreadMessages(viewerId)} as unread, ${unreadNotifications(viewerId, now)} as notifications, ${countsNewPosts(viewerId)} as posts,
      case when ${reports} = 1 then (select count from report_counts where status = 'pending') else 0 end as reports,
      ${countedAt(engine)} as "countedAt"`,
);

export async function readShellCounts(site: Site, viewer: Viewer): Promise<ShellCounts> {
  if (!viewer) return { unread: 0, notifications: 0, posts: false, reports: 0, countedAt: 0 };
  const reports = may(viewer, "handle reports") ? 1 : 0;
  const [counts] = await queryCounts(site, { viewerId: viewer.id, now: site.now(), reports });
  const count = (name: keyof ShellCounts) => Number(counts?.[name] ?? 0);
  return {
    unread: count("unread"),
    notifications: count("notifications"),
    posts: count("posts") > 0,
    reports: count("reports"),
    countedAt: count("countedAt"),
  };
}

/** Milliseconds by the database’s clock, as those of several processes may differ. */
function countedAt(engine: Engine): RawBuilder<number> {
  return engine === "sqlite" ? sql`unixepoch('subsec') * 1000` : sql`extract(epoch from statement_timestamp()) * 1000`;
}

/** One query counts for all members whose counts change in the same turn. */
export function countUnread(site: Site, memberId: string): Promise<UnreadCounts> {
  return site.memory.unreadCounts.add(memberId, async (gathered) => {
    const counts = await readUnreadCounts(
      site,
      gathered.map(({ item }) => item),
    );
    for (const [at, count] of counts.entries()) gathered[at]?.resolve(count);
  });
}

async function readUnreadCounts({ db, engine, now }: Site, memberIds: string[]): Promise<UnreadCounts[]> {
  const members = jsonRows(
    engine,
    { at: "integer", id: "text" },
    memberIds.map((id, at) => ({ at, id })),
  );
  const id = sql.ref("m.id");
  const { rows } = await sql<Record<"at" | keyof UnreadCounts, number | string>>`
    select m.at, ${unreadMessages(id)} as unread, ${unreadNotifications(id, now())} as notifications, ${countedAt(engine)} as "countedAt"
    from ${members} as m order by m.at`.execute(db);
  return rows.map(({ unread, notifications, countedAt }) => ({
    ...{ unread: Number(unread), notifications: Number(notifications), countedAt: Number(countedAt) },
  }));
}
