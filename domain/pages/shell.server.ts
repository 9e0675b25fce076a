import { sql } from "kysely";
import { seesStories, unreadNotifications } from "../bell/count.server.ts";
import { unreadMessages } from "../messages/conversations.server.ts";
import { may } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";

/**
 * What waits for somebody, as the frame of every page shows it; `reports` only for those who decide on them. `stories`: whether new ones of
 * those they follow count among the notifications. `countedAt`: the moment before counting, by which the newer of two counts is known.
 */
export type ShellFigures = { unread: number; notifications: number; stories: boolean; reports: number; countedAt: number };

type CountedFigure = Exclude<keyof ShellFigures, "countedAt">;

/** In one query: every page asks. */
export async function readShellFigures(site: Site, viewer: Viewer): Promise<ShellFigures> {
  const countedAt = site.now();
  if (!viewer) return { unread: 0, notifications: 0, stories: false, reports: 0, countedAt };
  const reports = may(viewer, "handle reports") ? sql`(select count from report_counts where status = 'pending')` : sql`0`;
  const { rows } = await sql<Record<CountedFigure, number | string | null>>`
    select ${unreadMessages(viewer.id)} as unread, ${unreadNotifications(viewer.id, countedAt)} as notifications,
      ${seesStories(viewer.id)} as stories, ${reports} as reports`.execute(site.db);
  const [figures] = rows;
  const count = (figure: CountedFigure) => Number(figures?.[figure] ?? 0);
  return {
    unread: count("unread"),
    notifications: count("notifications"),
    stories: count("stories") > 0,
    reports: count("reports"),
    countedAt,
  };
}
