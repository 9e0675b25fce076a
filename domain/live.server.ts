import type { Whisper } from "#platform/events/whispers.ts";
import { whoMayBeWatched } from "./messages/consent.server.ts";
import { presenceTopic } from "./messages/presence.server.ts";
import { may } from "./permissions.ts";
import type { Site, Viewer } from "./site.ts";

/** Those of the topics on which somebody may hear what happens: what they could load, they may hear of. */
export async function allowedTopics(site: Site, viewer: Viewer, topics: string[]): Promise<string[]> {
  // There may be many of this kind at once, one for each person in a list.
  const watched = topics.filter((topic) => topic.startsWith(presence));
  const ids = watched.map((topic) => topic.slice(presence.length));
  const mayBeWatched = viewer && ids.length > 0 ? await whoMayBeWatched(site, viewer.id, ids) : new Set();
  const answers = await Promise.all(
    topics.map((topic) => (topic.startsWith(presence) ? mayBeWatched.has(topic.slice(presence.length)) : mayListen(site, viewer, topic))),
  );
  return topics.filter((_topic, index) => answers[index]);
}

const presence = presenceTopic("");

/** How things stand on a topic for whoever begins to listen, where it is not something that a page loads. */
export function currentState(site: Site, topic: string): Whisper | undefined {
  if (!topic.startsWith(presence)) return undefined;
  const userId = topic.slice(presence.length);
  return { topic, type: site.presence.isOnline(userId) ? "online" : "offline", data: { userId } };
}

async function mayListen(site: Site, viewer: Viewer, topic: string): Promise<boolean> {
  if (topic === "posts" || topic === "profiles") return true;
  if (topic === "reports") return may(viewer, "administer the site");
  const colon = topic.indexOf(":");
  const [kind, id] = [topic.slice(0, colon), topic.slice(colon + 1)];
  switch (kind) {
    case "post":
      return mayReadPost(site, viewer, id);
    case "profile":
      return may(viewer, "see a profile") && exists(site, id);
    case "user":
      return viewer?.id === id;
    default:
      return false;
  }
}

async function mayReadPost(site: Site, viewer: Viewer, id: string): Promise<boolean> {
  const post = await site.db.selectFrom("posts").select(["status", "userId"]).where("id", "=", id).executeTakeFirst();
  return post !== undefined && may(viewer, post.status === "active" ? "read a published story" : "read a draft", post.userId);
}

async function exists(site: Site, userId: string): Promise<boolean> {
  return (await site.db.selectFrom("users").select("id").where("id", "=", userId).executeTakeFirst()) !== undefined;
}
