import { z } from "zod";
import type { CollectionName, Document } from "#domain/documents/document.ts";
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
export const text = z.string();
export const textOrNull = z.string().nullable();

export function documentSchema(attributes: z.ZodRawShape): z.ZodObject {
  return SystemFields.extend(attributes);
}

export type ModelNames = { config: ApiConfig; collection: CollectionName; table: boolean; format: string; selected?: boolean };

export function documentModel(document: Document, { config, collection, table, format }: ModelNames): Record<string, unknown> {
  const { publishedAt } = document.attributes;
  return {
    $id: document.id,
    $sequence: takesText(format) ? String(document.sequence) : document.sequence,
    [table ? "$tableId" : "$collectionId"]: collectionId(config, collection),
    $databaseId: config.database,
    $createdAt: isoDate(document.createdAt),
    $updatedAt: isoDate(document.updatedAt),
    $permissions: collection === "messages" ? permissionsOfBoth(document) : permissionsOf(document),
    ...document.attributes,
    ...(typeof publishedAt === "number" && { publishedAt: isoDate(publishedAt) }),
  };
}

function takesText(format: string): boolean {
  const [, major, minor] = /^(\d{1,4})\.(\d{1,4})/.exec(format) ?? [];
  return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 9);
}

export function permissionsOf({ ownerId, isPublic }: Pick<Document, "ownerId" | "isPublic">): string[] {
  const read = isPublic ? ['read("any")'] : ownerId ? [`read("user:${ownerId}")`] : [];
  return ownerId ? [...read, `update("user:${ownerId}")`, `delete("user:${ownerId}")`] : read;
}

function permissionsOfBoth({ ownerId, attributes }: Document): string[] {
  const both = [ownerId, attributes.receiverId].filter((id) => typeof id === "string").map((id) => `user:${id}`);
  return [...both.map((role) => `read("${role}")`), ...both.map((role) => `delete("${role}")`)];
}

export function collectionId({ collections }: ApiConfig, name: CollectionName): string {
  return collections[name] ?? name;
}
