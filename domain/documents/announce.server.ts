import { sql } from "kysely";
import { may } from "../permissions.ts";
import type { Site, SiteTransaction, Viewer } from "../site.ts";
import { type Collection, documentOf, type Row } from "./collection.ts";
import { collections } from "./collections.server.ts";
import type { Document, ListName, Value } from "./document.ts";
import { selectDocument } from "./documents.server.ts";

/** The topic of everything that clients of the API can hear. Types are `posts.create`, `users.update.name`, …. */
export const documentsTopic = "documents";

/** Tells clients that a document was made or changed; who may hear of it is looked up when it is delivered. */
export function announce(tx: SiteTransaction, list: ListName, action: "create" | "update", id: string): void {
  tx.publish({ topic: documentsTopic, type: `${list}.${action}`, data: { id } });
}

/** Tells clients that an account was changed. */
export function announceAccount(tx: SiteTransaction, userId: string, what: "name" | "email" | "password" | "prefs"): void {
  tx.publish({ topic: documentsTopic, type: `users.update.${what}`, data: { id: userId } });
}

/** Long, or not to live on in a log; and of no use to who is told that it is gone. */
const leftOut = ["content", "message", "fileName"];

/** Tells clients that a document goes, with what it was. Call it before it is removed. */
export async function announceRemoval(tx: SiteTransaction, list: ListName, id: string): Promise<void> {
  await announceRemovals(tx, list, [id]);
}

/** The same of several, each by itself. */
export async function announceRemovals(tx: SiteTransaction, list: ListName, ids: string[]): Promise<void> {
  for (const { attributes, ...system } of await loadDocuments(tx, list, ids)) {
    const said = Object.entries(attributes).filter(([name]) => !leftOut.includes(name));
    const data = { ...Object.fromEntries(said), ...Object.fromEntries(Object.entries(system).map(([name, value]) => [`$${name}`, value])) };
    tx.publish({ topic: documentsTopic, type: `${list}.delete`, data: { ...data, id: system.id } });
  }
}

/**
 * Tells clients that stories go whose author leaves: which, and whether everybody could read them, but nothing of whose they were
 * or what they said. Call it before they are removed.
 */
export async function announceDeparted(tx: SiteTransaction, postIds: string[]): Promise<void> {
  for (const { id, sequence, createdAt, updatedAt, isPublic } of await loadDocuments(tx, "posts", postIds)) {
    const system = { $sequence: sequence, $createdAt: createdAt, $updatedAt: updatedAt, $ownerId: null, $isPublic: isPublic };
    tx.publish({ topic: documentsTopic, type: "posts.delete", data: { ...system, id } });
  }
}

/** The document that `announceRemoval` told of. */
export function removedDocument({
  id,
  $sequence,
  $createdAt,
  $updatedAt,
  $ownerId,
  $isPublic,
  $id: _id,
  ...attributes
}: Record<string, Value | null>): Document {
  return {
    id: String(id),
    sequence: Number($sequence),
    createdAt: Number($createdAt),
    updatedAt: Number($updatedAt),
    ownerId: $ownerId === null ? null : String($ownerId),
    isPublic: $isPublic === true,
    attributes,
  };
}

/** A document whoever asks; `mayHear` says to whom it may be shown. */
export async function loadDocument(site: Pick<Site, "db"> | SiteTransaction, list: ListName, id: string): Promise<Document | undefined> {
  return (await loadDocuments(site, list, [id]))[0];
}

async function loadDocuments({ db }: Pick<Site, "db"> | SiteTransaction, list: ListName, ids: string[]): Promise<Document[]> {
  const collection: Collection = collections[list];
  const names = Object.keys(collection.attributes).filter((name) => name !== "linkedin");
  const { rows } = await sql<Row>`${selectDocument(collection, names)} where ${collection.id} in (${sql.join(ids)})`.execute(db);
  const found = new Map(rows.map((row) => documentOf(row, names, collection.attributes)).map((document) => [document.id, document]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Whether somebody may read a document: what `readable` of its collection says of rows, said of one that is at hand. */
export function mayHear(viewer: Viewer, list: ListName, { ownerId, isPublic, attributes }: Document): boolean {
  const owner = ownerId ?? "";
  switch (list) {
    case "posts":
      // Staff read a draft where that is recorded; that one is gone tells nothing of its text.
      if (!isPublic && viewer?.id !== owner && Object.hasOwn(attributes, "content")) return false;
      return may(viewer, isPublic ? "read a published story" : "read a draft", owner);
    case "likes":
      return may(viewer, isPublic ? "read a published story" : "read a draft", "");
    case "bookmarks":
      return may(viewer, "see own bookmarks", owner);
    case "profiles":
      return may(viewer, "see a profile", owner) && (isPublic || viewer?.id === owner || may(viewer, "moderate members"));
    case "messages":
      // Administrators may look into a conversation, not sit in it.
      return [owner, attributes.receiverId].includes(viewer?.id ?? "") && may(viewer, "read a conversation", viewer?.id);
    case "conversations":
      return viewer?.id === owner && may(viewer, "read a conversation", owner);
    case "follows":
      return [owner, attributes.followedId].includes(viewer?.id ?? "") && may(viewer, "see own follows", viewer?.id);
    case "reports":
      return may(viewer, "see reports", owner);
    case "files":
      return isPublic || may(viewer, "see uploaded files", owner);
  }
}
