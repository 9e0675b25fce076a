import { readCounter, readMemberCounters } from "../counters/counters.server.ts";
import { requirePermission } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";

/** Specification §2, Signed-in home; docs/decisions/0033-specification-gaps.md. */
export type HomeStats = {
  likes: number;
  posts: number;
  members: number;
};

export async function readHomeStats(site: Site, viewer: Viewer): Promise<HomeStats> {
  requirePermission(viewer, "see own bookmarks", viewer?.id);
  const [own, members] = await Promise.all([readMemberCounters(site, viewer.id), readCounter(site, "members")]);
  return { likes: own.likesReceived, posts: own.published, members };
}
