import type { ChangeKind } from "../changes.ts";
import type { PublishedChange, SiteTransaction } from "../site.ts";
import type { WebhookEvent } from "./webhook.ts";

export type WebhookPayload = { event: WebhookEvent; data: Record<string, string>; userId: string | null; forgetAfter?: boolean };

const events: Partial<Record<ChangeKind, WebhookEvent>> = {
  "post.published": "post.published",
  "post.hidden": "post.hidden",
  "post.removed": "post.removed",
  "post.forgotten": "post.removed",
  "member.joined": "member.joined",
  "report.created": "report.created",
  "account.suspended": "account.suspended",
};

export function webhookEventOf(kind: ChangeKind): WebhookEvent | undefined {
  return events[kind];
}

/** Public data only; undefined for stories that were never public. */
export async function webhookPayload(tx: SiteTransaction, { kind, change }: PublishedChange): Promise<WebhookPayload | undefined> {
  switch (kind) {
    case "post.published":
      return describePost(tx, change.id, change.userId);
    case "post.hidden":
      return change.was && { event: kind, data: { id: change.id }, userId: ownerOf(change.was) };
    case "post.removed":
      return change.publishedAt === null ? undefined : { event: kind, data: { id: change.id }, userId: ownerOf(change) };
    case "post.forgotten":
      return change.publishedAt === null ? undefined : { event: "post.removed", data: { id: change.id }, userId: null, forgetAfter: true };
    case "member.joined":
      return { event: kind, data: { id: change.userId, name: change.name, url: profileUrl(tx, change.userId) }, userId: change.userId };
    case "account.suspended":
      return { event: kind, data: { id: change.userId, url: profileUrl(tx, change.userId) }, userId: change.userId };
    case "report.created":
      return { event: kind, data: { id: change.id, url: `${tx.url}/admin/reports/${change.id}` }, userId: null };
    default:
      return undefined;
  }
}

async function describePost({ db, url }: SiteTransaction, id: string, userId: string): Promise<WebhookPayload | undefined> {
  const post = await db
    .selectFrom("posts")
    .leftJoin("profiles", "profiles.userId", "posts.userId")
    .select((eb) => [
      "posts.title",
      "posts.summary",
      "posts.publishedAt",
      eb.fn.coalesce("profiles.userName", "posts.userName").as("userName"),
    ])
    .where("posts.id", "=", id)
    .executeTakeFirst();
  if (!post) return undefined;
  const { publishedAt, ...shown } = post;
  const date = new Date(Number(publishedAt)).toISOString();
  const data = { id, ...shown, userId, publishedAt: date, url: `${url}/post/${encodeURIComponent(id)}` };
  return { event: "post.published", data, userId };
}

function profileUrl({ url }: SiteTransaction, userId: string): string {
  return `${url}/profile/${encodeURIComponent(userId)}`;
}

function ownerOf({ $ownerId }: Record<string, unknown>): string | null {
  return typeof $ownerId === "string" ? $ownerId : null;
}
