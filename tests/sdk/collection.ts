import { createPost } from "#domain/posts/posts.server.ts";
import { picture } from "../support/pictures.ts";
import { type Connection, ids, type OpenApi } from "./api.ts";

export type StoredDocument = Record<string, unknown> & {
  $id: string;
  $sequence: number | string;
  $permissions: string[];
  $updatedAt: string;
  $createdAt: string;
};

/** One collection's documents for one client. */
export function collection({ databases }: Connection, name: string) {
  const { database } = ids;
  return {
    create: async (id: string, data: object, permissions?: string[]) =>
      (await databases.createDocument(database, name, id, data, permissions)) as unknown as StoredDocument,
    get: async (id: string, queries?: string[]) => (await databases.getDocument(database, name, id, queries)) as unknown as StoredDocument,
    list: async (queries?: string[]) =>
      (await databases.listDocuments(database, name, queries)) as unknown as { total: number; documents: StoredDocument[] },
    update: async (id: string, data?: object, permissions?: string[]) =>
      (await databases.updateDocument(database, name, id, data, permissions)) as unknown as StoredDocument,
    upsert: async (id: string, data: object) => (await databases.upsertDocument(database, name, id, data)) as unknown as StoredDocument,
    remove: (id: string) => databases.deleteDocument(database, name, id),
    increment: async (id: string, attribute: string, value?: number, max?: number) =>
      (await databases.incrementDocumentAttribute(database, name, id, attribute, value, max)) as unknown as StoredDocument,
    decrement: async (id: string, attribute: string, value?: number, min?: number) =>
      (await databases.decrementDocumentAttribute(database, name, id, attribute, value, min)) as unknown as StoredDocument,
  };
}

/** Uploads a picture. @returns its id. */
export async function upload({ storage }: Connection, id = "unique()"): Promise<string> {
  const bytes = await picture();
  const file = new File([new Uint8Array(bytes.bytes)], "cover.jpg", { type: "image/jpeg" });
  return (await storage.createFile(ids.bucket, id, file)).$id;
}

type DocumentFields = Partial<{ title: string; content: string; status: "active" | "inactive" }>;

/** A story of Maren's with a picture, published by default. @returns its id, which is its slug. */
export async function writePost({ world: { site, maren } }: OpenApi, slug: string, chosen: DocumentFields = {}): Promise<string> {
  return (await createPost(site, maren, { title: `Story ${slug}`, slug, content: "", status: "active", ...chosen }, await picture())).id;
}
