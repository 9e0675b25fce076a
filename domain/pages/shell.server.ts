import { sql } from "kysely";
import { seesStories, unreadNotifications } from "../bell/count.server.ts";
import { countedAt, unreadMessages } from "../messages/conversations.server.ts";
import { may } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";

/**
 * Counts for the header. `stories`: whether stories of followed members count as notifications. `countedAt`: the database's time, to tell
 * which of two counts is newer.
 */
export type ShellFigures = { unread: number; notifications: number; stories: boolean; reports: number; countedAt: number };

/** One query: it runs for every page. */
export async function readShellFigures(site: Site, viewer: Viewer): Promise<ShellFigures> {
  if (!viewer) return { unread: 0, notifications: 0, stories: false, reports: 0, countedAt: 0 };
  const reports = may(viewer, "handle reports") ? sql`(select count from report_counts where status = 'pending')` : sql`0`;
  const { rows } = await sql<Record<keyof ShellFigures, number | string | null>>`
    select ${unreadMessages(viewer.id)} as unread, ${unreadNotifications(viewer.id, site.now())} as notifications,
      ${seesStories(viewer.id)} as stories, ${reports} as reports, ${countedAt(site.engine)} as "countedAt"`.execute(site.db);
  const [figures] = rows;
  const count = (figure: keyof ShellFigures) => Number(figures?.[figure] ?? 0);
  return {
    unread: count("unread"),
    notifications: count("notifications"),
    stories: count("stories") > 0,
    reports: count("reports"),
    countedAt: count("countedAt"),
  };
}
