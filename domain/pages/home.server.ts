import { readCounter, readMemberCounters } from "../counters/counters.server.ts";
import { unreadCount } from "../messages/conversations.server.ts";
import { mustBeAllowed } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";

/** What a member comes home to, in numbers (specification §2, Signed-in home; decisions, Settled readings). */
export type HomeFigures = {
  /** Likes received on one's published stories. */
  likes: number;
  /** Published by oneself. */
  stories: number;
  /** Messages that wait to be read. */
  unread: number;
  /** Members of the site. */
  members: number;
};

/** The viewer's own figures. @throws SignInFirst. */
export async function readHomeFigures(site: Site, viewer: Viewer): Promise<HomeFigures> {
  mustBeAllowed(viewer, "see own bookmarks", viewer?.id);
  const [own, members, unread] = await Promise.all([
    readMemberCounters(site, viewer.id),
    readCounter(site, "members"),
    unreadCount(site, viewer),
  ]);
  return { likes: own.likesReceived, stories: own.published, unread, members };
}
