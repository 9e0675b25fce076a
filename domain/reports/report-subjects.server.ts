import { mayReadPost } from "#domain/may-read-post.ts";
import { recordAccess } from "../audit/record-access.server.ts";
import { namedUsers } from "../named-users.server.ts";
import { may, requirePermission } from "../permissions.ts";
import { NotFound } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import { excerptMaxLength, type ReportKind } from "./report.ts";
import type { ReportSubject } from "./report-input.ts";

export type Subject = {
  ownerId: string;
  ownerName: string;
  excerpt: string;
};

/** @throws NotFound, also for what the viewer can't see. */
export async function findSubject(site: Site, viewer: Viewer, { kind, subjectId }: ReportSubject): Promise<Subject> {
  const found = await finders[kind](site, viewer, subjectId);
  if (!found) throw new NotFound();
  return { ...found, excerpt: Array.from(found.excerpt).slice(0, excerptMaxLength).join("") };
}

type Find = (site: Site, viewer: Viewer, id: string) => Promise<Subject | undefined>;

const finders: Record<ReportKind, Find> = { post: findPost, profile: findProfile, message: findMessage };

async function findPost(site: Site, viewer: Viewer, id: string): Promise<Subject | undefined> {
  const post = await site.db
    .selectFrom("posts")
    .select(["status", "userId", "heldBy", "userName", "title"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!post || !mayReadPost(viewer, post)) return undefined;
  return { ownerId: post.userId, ownerName: post.userName, excerpt: post.title };
}

async function findProfile(site: Site, viewer: Viewer, id: string): Promise<Subject | undefined> {
  const profile = await namedUsers(site).select("p.bio").where("u.id", "=", id).executeTakeFirst();
  if (!profile || !may(viewer, "see a profile", id)) return undefined;
  return { ownerId: id, ownerName: profile.name, excerpt: profile.bio ? `${profile.name}: ${profile.bio}` : profile.name };
}

async function findMessage(site: Site, viewer: Viewer, id: string): Promise<Subject | undefined> {
  const message = await site.db
    .selectFrom("messages")
    .innerJoin("users", "users.id", "messages.senderId")
    .leftJoin("profiles", "profiles.userId", "messages.senderId")
    .select(["messages.senderId", "messages.receiverId", "messages.message"])
    .select((eb) => eb.fn.coalesce("profiles.userName", "users.name").as("name"))
    .where("messages.id", "=", id)
    .where("messages.withheld", "=", false)
    .executeTakeFirst();
  if (!message) return undefined;
  const { senderId, receiverId, name } = message;
  const own = viewer && [senderId, receiverId].includes(viewer.id) ? viewer.id : undefined;
  if (!viewer || !may(viewer, own ? "read a conversation" : "read private messages", own)) return undefined;
  if (!own) requirePermission(viewer, "read private messages");
  if (!own) await recordAccess(site, viewer, { action: "message.viewed", subject: `message:${id}` });
  return { ownerId: senderId, ownerName: name, excerpt: message.message || "An attachment" };
}
