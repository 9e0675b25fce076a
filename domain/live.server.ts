import { may } from "./permissions.ts";
import type { Site, Viewer } from "./site.ts";

/** Whether somebody may hear what happens on a topic: what they could load, they may hear of. */
export async function mayListen(site: Site, viewer: Viewer, topic: string): Promise<boolean> {
  if (topic === "posts") return true;
  const colon = topic.indexOf(":");
  const [kind, id] = [topic.slice(0, colon), topic.slice(colon + 1)];
  switch (kind) {
    case "post":
      return mayReadPost(site, viewer, id);
    case "profile":
      return may(viewer, "see a profile") && exists(site, id);
    case "conversation":
      return viewer !== null && takesPart(site, viewer.id, id);
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

/** Administrators too hear only their own: they may look into a conversation, not sit in it. */
async function takesPart(site: Site, userId: string, conversationId: string): Promise<boolean> {
  const conversation = await site.db
    .selectFrom("conversations")
    .select("id")
    .where("id", "=", conversationId)
    .where((eb) => eb.or([eb("firstUserId", "=", userId), eb("secondUserId", "=", userId)]))
    .executeTakeFirst();
  return conversation !== undefined;
}
