import type { Broadcast } from "#platform/events/events.ts";
import { findPartnersNotBlocked } from "./messages/blocking.server.ts";
import { ownTopic } from "./messages/message.ts";
import { presenceTopic } from "./messages/presence.server.ts";
import { may } from "./permissions.ts";
import { readablePosts } from "./readable-posts.server.ts";
import type { Site, Viewer } from "./site.ts";

/** The topics that the viewer may subscribe to: those of content that they can load. At most four queries. */
export async function allowedTopics(site: Site, viewer: Viewer, topics: string[]): Promise<string[]> {
  const idsOf = (kind: string) => topics.filter((topic) => topic.startsWith(kind)).map((topic) => topic.slice(kind.length));
  const [posts, profiles, watched] = await Promise.all([
    readableIds(site, viewer, idsOf(post)),
    may(viewer, "see a profile") ? existingMembers(site, idsOf(profile)) : new Set<string>(),
    watchable(site, viewer, idsOf(presence)),
  ]);
  return topics.filter((topic) => {
    if (topic.startsWith(post)) return posts.has(topic.slice(post.length));
    if (topic.startsWith(profile)) return profiles.has(topic.slice(profile.length));
    if (topic.startsWith(presence)) return watched.has(topic.slice(presence.length));
    return maySubscribe(viewer, topic);
  });
}

/** Allowed topics without events: a blocked member may subscribe to the blocker's presence but gets none, so the block isn't revealed. */
export async function silentTopics(site: Site, viewer: Viewer, topics: string[]): Promise<ReadonlySet<string>> {
  const watched = topics.filter((topic) => topic.startsWith(presence));
  const known = await watchable(
    site,
    viewer,
    watched.map((topic) => topic.slice(presence.length)),
  );
  return new Set(watched.filter((topic) => known.get(topic.slice(presence.length))));
}

export function needsLookup(topic: string): boolean {
  return [post, profile, presence].some((kind) => topic.startsWith(kind));
}

const post = "post:";
const profile = "profile:";
const presence = presenceTopic("");

export function currentState(site: Site, topic: string, isSilent: boolean): Broadcast | undefined {
  if (!topic.startsWith(presence)) return undefined;
  const userId = topic.slice(presence.length);
  return { topic, type: !isSilent && site.presence.isOnline(userId) ? "online" : "offline", data: { userId } };
}

function maySubscribe(viewer: Viewer, topic: string): boolean {
  if (topic === "posts" || topic === "profiles") return true;
  if (topic === "reports") return may(viewer, "handle reports");
  return viewer !== null && topic === ownTopic(viewer.id);
}

async function readableIds(site: Site, viewer: Viewer, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await site.db.selectFrom("posts").select(["id", "status", "userId", "heldBy", "updatedAt"]).where("id", "in", ids).execute();
  return new Set((await readablePosts(site, viewer, rows)).map(({ id }) => id));
}

async function existingMembers({ db }: Site, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom("users").select("id").where("id", "in", ids).execute();
  return new Set(rows.map(({ id }) => id));
}

async function watchable(site: Site, viewer: Viewer, ids: string[]): Promise<Map<string, boolean>> {
  return viewer && ids.length > 0 ? findPartnersNotBlocked(site, viewer.id, ids) : new Map();
}
