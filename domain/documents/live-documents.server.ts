import { sql } from "kysely";
import type { Removed } from "../changes.ts";
import type { Site, SiteTransaction, Viewer } from "../site.ts";
import { type Collection, documentOf, type Row } from "./collection.ts";
import { collections } from "./collections.server.ts";
import type { Document, ListName, Value } from "./document.ts";
import { selectDocument } from "./documents.server.ts";

const leftOut = ["content", "message", "fileName"];

/** Documents as clients are told that they are gone. Read them before they are removed. */
export async function describeRemoved(tx: SiteTransaction, list: ListName, ids: string[]): Promise<Removed[]> {
  return (await loadDocuments(tx, list, ids)).map(({ attributes, ...system }) => {
    const told = Object.entries(attributes).filter(([name]) => !leftOut.includes(name));
    return { ...Object.fromEntries(told), ...systemOf(system), id: system.id };
  });
}

/** The same of one; undefined when it has been removed meanwhile. */
export async function describeRemovedOne(tx: SiteTransaction, list: ListName, id: string): Promise<Removed | undefined> {
  return (await describeRemoved(tx, list, [id]))[0];
}

export async function describeForgotten(tx: SiteTransaction, postIds: string[]): Promise<Removed[]> {
  return (await loadDocuments(tx, "posts", postIds)).map(({ attributes: _, ...system }) => ({
    ...systemOf({ ...system, ownerId: null }),
    id: system.id,
  }));
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
    attributes,
  };
}

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

export function mayHear(viewer: Viewer, list: ListName, document: Document): boolean {
  if (document.isOwnersAlone && viewer?.id !== document.ownerId) return false;
  return collections[list].mayHear(viewer, document);
}
