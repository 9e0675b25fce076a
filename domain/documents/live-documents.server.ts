import { sql } from "kysely";
import type { ListName, RemovedRow } from "../changes.ts";
import type { Site, SiteTransaction, Viewer } from "../site.ts";
import type { Collection } from "./collection.server.ts";
import { collections } from "./collections.server.ts";
import type { Document, Value } from "./document.ts";
import { documentOf, type Row, selectDocument } from "./documents.server.ts";

const omittedAttributes = ["content", "message", "fileName"];

/** For delete events. Call before the removal. */
export async function describeRemoved(tx: SiteTransaction, list: ListName, ids: string[]): Promise<RemovedRow[]> {
  return (await loadDocumentsUnchecked(tx, list, ids)).map(({ attributes, ...system }) => {
    const remaining = Object.entries(attributes).filter(([name]) => !omittedAttributes.includes(name));
    return { ...Object.fromEntries(remaining), ...systemOf(system), id: system.id };
  });
}

export async function describeForgotten(tx: SiteTransaction, postIds: string[]): Promise<RemovedRow[]> {
  return (await loadDocumentsUnchecked(tx, "posts", postIds)).map(({ attributes: { publishedAt = null }, ...system }) => ({
    ...systemOf({ ...system, ownerId: null }),
    id: system.id,
    publishedAt,
  }));
}

/** For readers who lose a post; undefined if it was never published. */
export async function describeHidden(tx: SiteTransaction, postId: string): Promise<RemovedRow | undefined> {
  const [post] = await loadDocumentsUnchecked(tx, "posts", [postId]);
  if (!post || post.attributes.publishedAt === null) return undefined;
  return { ...systemOf({ ...post, isPublic: true }), $isHidden: true, id: postId };
}

/** Both sides, without their content. */
export async function describeConversation(tx: SiteTransaction, id: string): Promise<RemovedRow[]> {
  return (await loadDocumentsUnchecked(tx, "conversations", [id])).map((side) => ({ ...systemOf(side), id }));
}

function systemOf({ sequence, createdAt, updatedAt, ownerId, isPublic, isOwnerOnly }: Omit<Document, "attributes">) {
  const alone = isOwnerOnly ? { $isOwnersAlone: true } : {};
  return { $sequence: sequence, $createdAt: createdAt, $updatedAt: updatedAt, $ownerId: ownerId, $isPublic: isPublic, ...alone };
}

export function removedDocument({
  id,
  $sequence,
  $createdAt,
  $updatedAt,
  $ownerId,
  $isPublic,
  $isOwnersAlone,
  $isHidden,
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
    ...($isOwnersAlone === true ? { isOwnerOnly: true } : {}),
    ...($isHidden === true ? { isHidden: true } : {}),
    attributes,
  };
}

/** The two sides of a conversation have the same id. */
export async function loadDocumentsUnchecked(
  { db }: Pick<Site, "db"> | SiteTransaction,
  list: ListName,
  ids: string[],
): Promise<Document[]> {
  const collection: Collection = collections[list];
  const names = Object.keys(collection.attributes).filter((name) => name !== "linkedin");
  const { rows } = await sql<Row>`${selectDocument(collection, names)} where ${collection.id} in (${sql.join(ids)})`.execute(db);
  const found = rows.map((row) => documentOf(row, names, collection.attributes));
  return ids.flatMap((id) => found.filter((document) => document.id === id));
}

const maxReadAtOnce = 100;

/** The newest `maxReadAtOnce` messages of the range that was just read. */
export async function loadReadMessages(site: Pick<Site, "db">, { id, readerId, first, last }: ReadMessages): Promise<Document[]> {
  const rows = await site.db
    .selectFrom("messages")
    .select("id")
    .where("conversationId", "=", id)
    .where("number", ">=", first)
    .where("number", "<=", last)
    .where("receiverId", "=", readerId)
    .orderBy("number", "desc")
    .limit(maxReadAtOnce)
    .execute();
  const ids = rows.map((row) => row.id).reverse();
  return ids.length === 0 ? [] : loadDocumentsUnchecked(site, "messages", ids);
}

type ReadMessages = { id: string; readerId: string; first: number; last: number };

export function mayReceive(viewer: Viewer, list: ListName, document: Document): boolean {
  if (document.isOwnerOnly && viewer?.id !== document.ownerId) return false;
  if (document.isHidden && viewer?.id === document.ownerId) return false;
  return collections[list].mayReceive(viewer, document);
}
