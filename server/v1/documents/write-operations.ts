import { z } from "zod";
import { findDocument } from "#domain/documents/documents.server.ts";
import { may } from "#domain/permissions.ts";
import { isRefusal } from "#domain/refusals.ts";
import { ApiError } from "../errors.ts";
import type { Api, Call } from "../operation.ts";
import { JsonObject, NewId, Permissions } from "../params.ts";
import { checkPermissions } from "../permissions.ts";
import { type Endpoint, mayUpdate, modelOf, readOne } from "./documents.ts";
import { parseAttributes } from "./structure.ts";

export function writeOperations(api: Api, endpoint: Endpoint): void {
  addCreate(api, endpoint);
  addUpdates(api, endpoint);
  addRemove(api, endpoint);
  for (const direction of ["increment", "decrement"] as const) addIncrement(api, endpoint, direction);
}

type Change = { data?: Record<string, unknown> | undefined; permissions?: string[] | undefined };

function addCreate(api: Api, endpoint: Endpoint): void {
  const { path, model: response } = endpoint;
  const { collection, create } = endpoint.writer;
  const { table, documentId } = endpoint.naming;
  const documentedBody = z.object({ [documentId]: NewId, data: create?.data ?? z.object({}), permissions: Permissions.optional() });
  const body = z.object({ [documentId]: NewId.optional(), data: JsonObject, permissions: Permissions.optional() });
  const operation = {
    method: "post",
    path,
    summary: `Creates one of the ${collection}.`,
    documentedBody,
    body,
    response,
    status: 201,
    usesTableNames: table,
  } as const;
  api.on(operation, async (call) => {
    const { data, permissions, [documentId]: id } = call.body as Change & { documentId?: string; rowId?: string };
    if (id === undefined) throw new ApiError("document_missing_data", "Document ID is required when creating a single document");
    if (Object.keys(data ?? {}).length === 0) throw new ApiError("document_missing_data");
    return createDocument(call, endpoint, id, { data, permissions });
  });
}

async function createDocument(call: Call, endpoint: Endpoint, chosen: string, { data = {}, permissions }: Change): Promise<object> {
  const { create } = endpoint.writer;
  checkPermissions(call.viewer, permissions);
  if (!create) throw new ApiError("user_unauthorized");
  const checked = await parseAttributes(create.data, data);
  const id = await create.run(call, chosen === "unique()" ? undefined : chosen, checked);
  return readOne(call, endpoint, id);
}

function addUpdates(api: Api, endpoint: Endpoint): void {
  const { collection, create, update } = endpoint.writer;
  const { documentId } = endpoint.naming;
  const common = {
    path: `${endpoint.path}/{${documentId}}`,
    documentedBody: z.object({ data: (update?.data ?? z.object({})).optional(), permissions: Permissions.optional() }),
    body: z.object({ data: JsonObject.optional(), permissions: Permissions.optional() }),
    response: endpoint.model,
    usesTableNames: endpoint.naming.table,
  };
  api.on({ ...common, method: "patch", summary: `Changes one of the ${collection}.` }, async (call) => {
    const { data = {}, permissions } = call.body;
    if (Object.keys(data).length === 0 && permissions === undefined) throw new ApiError("document_missing_payload");
    return updateDocument(call, endpoint, call.params[documentId] ?? "", call.body);
  });
  api.on({ ...common, method: "put", summary: `Changes one of the ${collection}, or adds it.` }, async (call) => {
    const id = call.params[documentId] ?? "";
    // What can't be changed is created again, which returns the first.
    if (create && !(update && (await exists(call, endpoint, id)))) return createDocument(call, endpoint, id, call.body);
    return updateDocument(call, endpoint, id, call.body);
  });
}

async function updateDocument(call: Call, endpoint: Endpoint, id: string, { data = {}, permissions }: Change): Promise<object> {
  const { update, collection } = endpoint.writer;
  checkPermissions(call.viewer, permissions);
  const before = await findDocument(call.site, call.viewer, collection, id);
  if (!update) throw new ApiError("user_unauthorized");
  if (Object.keys(data).length === 0) {
    if (!mayUpdate(call.viewer, collection, before)) throw new ApiError("user_unauthorized");
    return readOne(call, endpoint, id);
  }
  // What a merge lacks stays as it is.
  const changes = await parseAttributes(update.data.partial(), data);
  await update.run(call, id, changes);
  return readOne(call, endpoint, id).catch((error) => {
    // Moderators can't read what they have unpublished.
    if (changes.status !== "inactive" || !isRefusal(error) || error.code !== "not-found") throw error;
    return modelOf(call, endpoint, {
      ...before,
      isPublic: false,
      attributes: { ...before.attributes, ...(changes as typeof before.attributes) },
    });
  });
}

async function exists(call: Call, { writer }: Endpoint, id: string): Promise<boolean> {
  return findDocument(call.site, call.viewer, writer.collection, id, ["$id"]).then(
    () => true,
    (error) => {
      if (isRefusal(error) && error.code === "not-found") return false;
      throw error;
    },
  );
}

function addRemove(api: Api, { path, writer, naming: { table, documentId } }: Endpoint): void {
  const { collection, remove, removeAnyPermission } = writer;
  const summary = `Removes one of the ${collection}.`;
  api.on({ method: "delete", path: `${path}/{${documentId}}`, summary, response: "nothing", usesTableNames: table }, async (call) => {
    const id = call.params[documentId] ?? "";
    if (!removeAnyPermission || !may(call.viewer, removeAnyPermission)) await findDocument(call.site, call.viewer, collection, id, ["$id"]);
    if (!remove) throw new ApiError("user_unauthorized");
    await remove(call, id);
    return undefined;
  });
}

function addIncrement(api: Api, endpoint: Endpoint, direction: "increment" | "decrement"): void {
  const { collection, increment } = endpoint.writer;
  const { table, documentId } = endpoint.naming;
  const limit = direction === "increment" ? "max" : "min";
  const positive = "Value must be numeric and greater than 0";
  const body = z.object({
    value: z.number(positive).positive(positive).default(1),
    [limit]: z.number("Value must be numeric").optional(),
  });
  const path = `${endpoint.path}/{${documentId}}/{attribute}/${direction}`;
  const operation = {
    method: "patch",
    path,
    summary: `${direction === "increment" ? "Increments" : "Decrements"} a number of one of the ${collection}.`,
    body,
    response: endpoint.model,
  } as const;
  api.on({ ...operation, usesTableNames: table }, async (call) => {
    const { [documentId]: id = "", attribute = "" } = call.params;
    const { attributes } = await findDocument(call.site, call.viewer, collection, id).catch((error) => {
      throw isRefusal(error) && error.code === "not-found" ? new ApiError("attribute_not_found") : error;
    });
    if (!Object.hasOwn(attributes, attribute)) throw new ApiError("attribute_not_found");
    if (typeof attributes[attribute] !== "number") throw new ApiError("attribute_type_invalid", `Attribute "${attribute}" is not a number`);
    if (!increment) throw new ApiError("user_unauthorized");
    const { value, max, min } = call.body as { value: number; max?: number; min?: number };
    await increment(call, id, { attribute, value: direction === "increment" ? value : -value, max, min });
    return readOne(call, endpoint, id);
  });
}
