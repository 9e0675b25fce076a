import { sql } from "kysely";
import type { RemovedRow } from "../changes.ts";
import type { Site, SiteTransaction, Viewer } from "../site.ts";
import { type Collection, documentOf, type Row } from "./collection.ts";
import { collections } from "./collections.server.ts";
import type { Document, ListName, Value } from "./document.ts";
import { selectDocument } from "./documents.server.ts";

const leftOut = ["content", "message", "fileName"];

/** Documents as clients are told that they are gone. Read them before they are removed. */
export async function describeRemoved(tx: SiteTransaction, list: ListName, ids: string[]): Promise<RemovedRow[]> {
  return (await loadDocuments(tx, list, ids)).map(({ attributes, ...system }) => {
    const told = Object.entries(attributes).filter(([name]) => !leftOut.includes(name));
    return { ...Object.fromEntries(told), ...systemOf(system), id: system.id };
  });
}

/** The same of one; undefined when it has been removed meanwhile. */
export async function describeRemovedOne(tx: SiteTransaction, list: ListName, id: string): Promise<RemovedRow | undefined> {
  return (await describeRemoved(tx, list, [id]))[0];
}

export async function describeForgotten(tx: SiteTransaction, postIds: string[]): Promise<RemovedRow[]> {
  return (await loadDocuments(tx, "posts", postIds)).map(({ attributes: _, ...system }) => ({
    ...systemOf({ ...system, ownerId: null }),
    id: system.id,
  }));
}

/** A story as those are told that it is gone who can't read it any more; undefined of one that nobody has seen. */
export async function describeHidden(tx: SiteTransaction, postId: string): Promise<RemovedRow | undefined> {
  const post = await loadDocument(tx, "posts", postId);
  if (!post || post.attributes.publishedAt === null) return undefined;
  return { ...systemOf({ ...post, isPublic: true }), $isHidden: true, id: postId };
}

function systemOf({ sequence, createdAt, updatedAt, ownerId, isPublic, isOwnersAlone }: Omit<Document, "attributes">) {
  const alone = isOwnersAlone ? { $isOwnersAlone: true } : {};
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
    ...($isOwnersAlone === true ? { isOwnersAlone: true } : {}),
    ...($isHidden === true ? { isHidden: true } : {}),
    attributes,
  };
}

export async function loadDocument(site: Pick<Site, "db"> | SiteTransaction, list: ListName, id: string): Promise<Document | undefined> {
  return (await loadDocuments(site, list, [id]))[0];
}

/** With the same id are the two sides of a conversation. */
export async function loadDocuments({ db }: Pick<Site, "db"> | SiteTransaction, list: ListName, ids: string[]): Promise<Document[]> {
  const collection: Collection = collections[list];
  const names = Object.keys(collection.attributes).filter((name) => name !== "linkedin");
  const { rows } = await sql<Row>`${selectDocument(collection, names)} where ${collection.id} in (${sql.join(ids)})`.execute(db);
  const found = rows.map((row) => documentOf(row, names, collection.attributes));
  return ids.flatMap((id) => found.filter((document) => document.id === id));
}

const maxReadAtOnce = 100;

/** The newest of the messages that someone has read just now, each as its two people see it. */
export async function loadRead(site: Pick<Site, "db">, { id, readerId, first, last }: ReadMessages): Promise<Document[]> {
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
  return ids.length === 0 ? [] : loadDocuments(site, "messages", ids);
}

type ReadMessages = { id: string; readerId: string; first: number; last: number };

export function mayHear(viewer: Viewer, list: ListName, document: Document): boolean {
  if (document.isOwnersAlone && viewer?.id !== document.ownerId) return false;
  if (document.isHidden && viewer?.id === document.ownerId) return false;
  return collections[list].mayHear(viewer, document);
}
