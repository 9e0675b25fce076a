import { z } from "zod";
import type { CollectionName } from "#domain/changes.ts";
import type { BadQuery } from "#domain/documents/collection.server.ts";
import { isSameForAll } from "#domain/documents/collections.server.ts";
import { type Document, type DocumentQuery, maxCounted } from "#domain/documents/document.ts";
import { listDocuments, readDocument } from "#domain/documents/documents.server.ts";
import { detailsOf } from "#domain/refusals.ts";
import type { Viewer } from "#domain/site.ts";
import { kilobyte } from "#platform/bytes.ts";
import type { ApiConfig } from "#platform/config.ts";
import { siteVersion, VersionedCache } from "#platform/database/version.ts";
import { ApiError } from "../errors.ts";
import { isoDate, JsonBytes } from "../json.ts";
import type { Api, Call } from "../operation.ts";
import { texts } from "../params.ts";
import { readQueries } from "../queries.ts";
import type { Writer } from "./collection-writer.ts";

const pathStyles = [
  { table: false, database: "/databases/", of: "/collections/", documents: "/documents", documentId: "documentId", list: "documents" },
  { table: true, database: "/tablesdb/", of: "/tables/", documents: "/rows", documentId: "rowId", list: "rows" },
] as const;

/** A collection under one of the protocol's two names for it. */
export type Endpoint = { config: ApiConfig; writer: Writer; naming: (typeof pathStyles)[number]; path: string; model: z.ZodType };

export function endpointsOf(config: ApiConfig, writer: Writer): Endpoint[] {
  const collection = collectionId(config, writer.collection);
  return pathStyles.map((naming) => ({
    ...{ config, writer, naming },
    path: `${naming.database}${config.database}${naming.of}${collection}${naming.documents}`,
    model: SystemFields.extend(writer.attributes),
  }));
}

export function collectionId({ collections }: ApiConfig, name: CollectionName): string {
  return collections[name] ?? name;
}

const queriesText = "Value must a valid array no longer than 100 items and each query no longer than 4096 chars";
const Queries = z.array(z.string().max(4096, queriesText)).max(100, queriesText).default([]);
const Flag = z.enum(["true", "false", "1", "0"], "Value must be a valid boolean").transform((flag) => flag === "true" || flag === "1");

export function readOperations(api: Api, endpoint: Endpoint): void {
  const { path, model } = endpoint;
  const { collection } = endpoint.writer;
  const { table, documentId, list } = endpoint.naming;
  const page = z.object({ total: z.int().max(maxCounted), [list]: z.array(model) });
  const query = z.object({ queries: Queries, total: Flag.default(true) });
  api.on({ method: "get", path, summary: `Lists ${collection}.`, query, response: page, usesTableNames: table }, (call) =>
    cached(call, async () => {
      const parsed = readQueries(call.query.queries, call.query.total);
      return { content: await listPage(call, endpoint, parsed), sameForAll: isSameForAll(collection, parsed) };
    }),
  );
  const one = {
    path: `${path}/{${documentId}}`,
    summary: `Gets one of the ${collection}.`,
    query: z.object({ queries: Queries }),
    response: model,
  };
  api.on({ ...one, method: "get", usesTableNames: table }, (call) =>
    cached(call, async () => {
      const { select } = readQueries(call.query.queries);
      return { content: await readOne(call, endpoint, call.params[documentId] ?? "", select), sameForAll: false };
    }),
  );
}

async function listPage(call: Call, { config, writer: { collection }, naming }: Endpoint, query: DocumentQuery): Promise<object> {
  const { total, documents } = await listDocuments(call.site, call.viewer, collection, query).catch(refuseQuery);
  const names = { config, collection, table: naming.table, format: call.format };
  return { total, [naming.list]: documents.map((document) => documentModel(document, names)) };
}

export async function readOne(call: Call, endpoint: Endpoint, id: string, select?: string[]) {
  return modelOf(call, endpoint, await readDocument(call.site, call.viewer, endpoint.writer.collection, id, select).catch(refuseQuery));
}

export function modelOf({ format }: Call, { config, writer: { collection }, naming: { table } }: Endpoint, document: Document) {
  return documentModel(document, { config, collection, table, format });
}

const maxCachedBytes = 128 * kilobyte;
const maxKeyLength = 2_000;

const responses = new VersionedCache<JsonBytes>("response");

/**
 * Caches responses by address until the next commit: any visitor's, and members' if they are the same for all members. Visitors never get
 * a member's response, nor members a visitor's.
 */
async function cached(call: Call, make: () => Promise<{ content: object; sameForAll: boolean }>): Promise<JsonBytes> {
  const { site, viewer, format, request } = call;
  const url = request.url.slice(request.url.indexOf("/", "https://".length));
  const key = `${viewer ? "member" : "visitor"} ${format} ${url}`;
  const version = key.length > maxKeyLength ? undefined : await siteVersion(site, call.databaseVersion);
  const known = version && responses.get(site, key, version);
  if (known) return known;
  const { content, sameForAll } = await make();
  const json = new JsonBytes(JSON.stringify(content));
  if (version !== undefined && json.bytes.length <= maxCachedBytes && (sameForAll || !viewer))
    responses.set(site, key, { version, value: json, bytes: 2 * json.bytes.length });
  return json;
}

const SystemFields = z.object({
  $id: z.string(),
  $sequence: z.union([z.int(), z.string()]).describe("A number before format 1.9, a string from then on."),
  ...texts("$collectionId", "$databaseId", "$createdAt", "$updatedAt"),
  $permissions: z.array(z.string()),
});

type ModelNames = { config: ApiConfig; collection: CollectionName; table: boolean; format: string };

export function documentModel(document: Document, { config, collection, table, format }: ModelNames): Record<string, unknown> {
  const { publishedAt } = document.attributes;
  return {
    $id: document.id,
    $sequence: hasTextSequence(format) ? String(document.sequence) : document.sequence,
    [table ? "$tableId" : "$collectionId"]: collectionId(config, collection),
    $databaseId: config.database,
    $createdAt: isoDate(document.createdAt),
    $updatedAt: isoDate(document.updatedAt),
    $permissions: documentPermissions(collection, document),
    ...document.attributes,
    ...(typeof publishedAt === "number" && { publishedAt: isoDate(publishedAt) }),
  };
}

function hasTextSequence(format: string): boolean {
  const [, major, minor] = /^(\d{1,4})\.(\d{1,4})/.exec(format) ?? [];
  return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 9);
}

type Permission = "read" | "update" | "delete";

/** Besides reading. Only staff change reports. */
const ownerPermissions: Record<CollectionName, Permission[]> = {
  posts: ["update", "delete"],
  profiles: ["update"],
  likes: ["delete"],
  bookmarks: ["delete"],
  messages: ["delete"],
  conversations: [],
  follows: ["delete"],
  reports: [],
};

/** Of another member, whom an attribute names. */
const otherPermissions: Partial<Record<CollectionName, { attribute: string; permissions: Permission[] }>> = {
  messages: { attribute: "receiverId", permissions: ["read", "update", "delete"] },
  follows: { attribute: "followedId", permissions: ["read"] },
};

function documentPermissions(collection: CollectionName, document: Document): string[] {
  const { attribute = "", permissions = [] } = otherPermissions[collection] ?? {};
  const otherId = document.attributes[attribute];
  const ofOther = typeof otherId === "string" ? permissions.map((each) => `${each}("user:${otherId}")`) : [];
  return [...permissionsOf(document, ownerPermissions[collection]), ...ofOther];
}

/** Staff are not in `$permissions`. */
export function mayUpdate(viewer: Viewer, collection: CollectionName, document: Document): boolean {
  if (!viewer) return false;
  return viewer.staff !== null || documentPermissions(collection, document).includes(`update("user:${viewer.id}")`);
}

export function permissionsOf(
  { ownerId, isPublic }: Pick<Document, "ownerId" | "isPublic">,
  ofOwner: Permission[] = ["update", "delete"],
): string[] {
  const read = isPublic ? ['read("any")'] : ownerId ? [`read("user:${ownerId}")`] : [];
  return ownerId ? [...read, ...ofOwner.map((each) => `${each}("user:${ownerId}")`)] : read;
}

function refuseQuery(error: unknown): never {
  const problem = detailsOf<BadQuery>(error, "bad-query");
  if (!problem) throw error;
  const { message } = error as Error;
  if (problem.cursor === "not-found") throw new ApiError("general_cursor_not_found", message);
  if (problem.cursor === "without-order") throw new ApiError("database_query_order_null", message);
  throw new ApiError("general_query_invalid", `Invalid query: ${message}`);
}
