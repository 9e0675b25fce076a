import { readMemberCounters } from "#domain/counters/counters.server.ts";
import { countUnfinished } from "#domain/drafts/draft-reads.server.ts";
import { requirePermission } from "#domain/permissions.ts";
import { findProfile, type Profile } from "#domain/profiles/profile-reads.server.ts";
import { countBookmarks } from "#domain/reactions/bookmarks.server.ts";
import type { Site, Viewer } from "#domain/site.ts";

export type OwnProfile = { profile: Profile; counts: { posts: number; bookmarks: number; drafts: number } };

export async function readOwnProfile(site: Site, viewer: Viewer): Promise<OwnProfile> {
  requirePermission(viewer, "see own bookmarks", viewer?.id);
  const [profile, bookmarks, unfinished, own] = await Promise.all([
    findProfile(site, viewer.id),
    countBookmarks(site, viewer),
    countUnfinished(site, viewer),
    readMemberCounters(site, viewer.id),
  ]);
  return { profile, counts: { posts: own.published, bookmarks, drafts: own.posts - own.published + unfinished } };
}
