import { z } from "zod";
import type { CollectionName, Document } from "#domain/documents/document.ts";
import { reportKinds, reportStatuses } from "#domain/reports/report.ts";
import type { ApiConfig } from "#platform/config.ts";
import { isoDate } from "../dates.ts";

const SystemFields = z.object({
  $id: z.string(),
  $sequence: z.union([z.int(), z.string()]).describe("A number before format 1.9, a string from then on."),
  $collectionId: z.string(),
  $databaseId: z.string(),
  $createdAt: z.string(),
  $updatedAt: z.string(),
  $permissions: z.array(z.string()),
});
const text = z.string();
const textOrNull = z.string().nullable();

/** What members say of themselves, each field as `kind` has it. */
export function profileFields<Kind>(kind: Kind) {
  return { userName: kind, bio: kind, location: kind, website: kind, twitter: kind, github: kind, linkedIn: kind };
}

/** What documents hold, by collection. */
export const documentModels: Record<CollectionName, z.ZodObject> = {
  posts: SystemFields.extend({
    title: text,
    content: text.describe("HTML, sanitised."),
    featuredImage: textOrNull,
    status: z.enum(["active", "inactive"]),
    userId: text,
    userName: text,
    featured: z.boolean(),
    pinned: z.boolean(),
    views: z.int(),
    likesCount: z.int(),
    bookmarksCount: z.int(),
  }),
  profiles: SystemFields.extend({
    userId: text,
    ...profileFields(text),
    profileImage: textOrNull,
  }),
  likes: SystemFields.extend({ postId: text, userId: text }),
  bookmarks: SystemFields.extend({ postId: text, userId: text }),
  messages: SystemFields.extend({
    senderId: text,
    receiverId: text,
    message: text.describe("Missing in realtime delete events."),
    conversationId: text,
    number: z.int().describe("Counts the messages of the conversation."),
    isRead: z.boolean(),
    fileId: textOrNull,
    fileName: textOrNull,
    fileSize: z.int().nullable(),
    fileType: textOrNull,
  }),
  conversations: SystemFields.extend({
    partnerId: text,
    partnerName: text,
    lastMessageId: text,
    lastMessage: text,
    lastSenderId: text,
    unreadCount: z.int(),
    muted: z.boolean(),
  }),
  follows: SystemFields.extend({ followerId: text, followedId: text }),
  reports: SystemFields.extend({
    kind: z.enum([...reportKinds, "appeal"]),
    subjectId: text,
    ownerId: textOrNull.describe("The owner's user id."),
    reporterId: textOrNull,
    reason: text,
    note: text,
    excerpt: text,
    status: z.enum(reportStatuses),
  }),
};

/** How a client wants its documents called. */
export type Naming = { config: ApiConfig; collection: CollectionName; table: boolean; format: string; selected?: boolean };

/** A document as the protocol writes it. */
export function documentModel(document: Document, { config, collection, table, format }: Naming): Record<string, unknown> {
  return {
    $id: document.id,
    $sequence: takesText(format) ? String(document.sequence) : document.sequence,
    [table ? "$tableId" : "$collectionId"]: collectionId(config, collection),
    $databaseId: config.database,
    $createdAt: isoDate(document.createdAt),
    $updatedAt: isoDate(document.updatedAt),
    $permissions: collection === "messages" ? permissionsOfBoth(document) : permissionsOf(document),
    ...document.attributes,
  };
}

/** From 1.9.0 on. */
function takesText(format: string): boolean {
  const [, major, minor] = /^(\d{1,4})\.(\d{1,4})/.exec(format) ?? [];
  return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 9);
}

/** What the site's rules come to, in the protocol's words. */
export function permissionsOf({ ownerId, isPublic }: Pick<Document, "ownerId" | "isPublic">): string[] {
  const read = isPublic ? ['read("any")'] : ownerId ? [`read("user:${ownerId}")`] : [];
  return ownerId ? [...read, `update("user:${ownerId}")`, `delete("user:${ownerId}")`] : read;
}

function permissionsOfBoth({ ownerId, attributes }: Document): string[] {
  const both = [ownerId, attributes.receiverId].filter((id) => typeof id === "string").map((id) => `user:${id}`);
  return [...both.map((role) => `read("${role}")`), ...both.map((role) => `delete("${role}")`)];
}

/** By which id clients know a collection. */
export function collectionId({ collections }: ApiConfig, name: CollectionName): string {
  return collections[name] ?? name;
}
