import { sql } from "kysely";
import { unreadMessages } from "../messages/conversations.server.ts";
import { unseenNotices } from "../moderation/unseen.server.ts";
import { may } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";

/** What waits for somebody, as the frame of every page shows it; `reports` only for those who decide on them. */
export type ShellFigures = { unread: number; notices: number; reports: number };

/** In one query: every page asks. */
export async function readShellFigures(site: Site, viewer: Viewer): Promise<ShellFigures> {
  if (!viewer) return { unread: 0, notices: 0, reports: 0 };
  const reports = may(viewer, "handle reports") ? sql`(select count from report_counts where status = 'pending')` : sql`0`;
  const { rows } = await sql<Record<keyof ShellFigures, number | string | null>>`
    select ${unreadMessages(viewer.id)} as unread, ${unseenNotices(viewer.id)} as notices, ${reports} as reports`.execute(site.db);
  const [figures] = rows;
  return { unread: Number(figures?.unread ?? 0), notices: Number(figures?.notices ?? 0), reports: Number(figures?.reports ?? 0) };
}
