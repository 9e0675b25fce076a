import { z } from "zod";
import { isSameForAll } from "#domain/documents/collections.server.ts";
import { maxCounted } from "#domain/documents/document.ts";
import { findDocument, listDocuments, readDocument } from "#domain/documents/documents.server.ts";
import type { BadQuery } from "#domain/documents/filters.server.ts";
import { may } from "#domain/permissions.ts";
import { detailsOf, isRefusal } from "#domain/refusals.ts";
import type { ApiConfig } from "#platform/config.ts";
import type { Api } from "../api.ts";
import type { Call } from "../call.ts";
import { ApiError } from "../errors.ts";
import { anObject, checkId, NewId, Permissions } from "../params.ts";
import { checkPermissions } from "../permissions.ts";
import { readQueries } from "../queries.ts";
import { keptAnswer } from "./kept-answers.ts";
import { collectionId, documentModel, documentSchema } from "./models.ts";
import { checkStructure } from "./structure.ts";
import type { Step, Writer } from "./writer.ts";

const Flag = z.enum(["true", "false", "1", "0"], "Value must be a valid boolean").transform((flag) => flag === "true" || flag === "1");
const Queries = z
  .array(z.string().max(4096, "Value must a valid array no longer than 100 items and each query no longer than 4096 chars"))
  .max(100, "Value must a valid array no longer than 100 items and each query no longer than 4096 chars")
  .default([]);
const One = z.object({ queries: Queries });
const Many = z.object({ queries: Queries, total: Flag.default(true) });

const namings = [
  { table: false, database: "/databases/", of: "/collections/", documents: "/documents", documentId: "documentId", list: "documents" },
  { table: true, database: "/tablesdb/", of: "/tables/", documents: "/rows", documentId: "rowId", list: "rows" },
] as const;

export function documentOperations(api: Api, config: ApiConfig, writer: Writer): void {
  for (const naming of namings) new Documents({ api, config }, writer, naming).add();
}

export function missingCollections(api: Api, config: ApiConfig): void {
  for (const { database, of, documents } of namings) {
    for (const path of [`${database}:database${of}:collection${documents}`, `${database}:database${of}:collection${documents}/*`])
      api.routes.all(path, (c) => {
        const { database: asked = "" } = c.req.param() as Record<string, string>;
        throw new ApiError(asked === config.database ? "collection_not_found" : "database_not_found");
      });
  }
}

type OperationNames = (typeof namings)[number];

class Documents {
  readonly #api: Api;
  readonly #config: ApiConfig;
  readonly #writer: Writer;
  readonly #naming: OperationNames;
  readonly #path: string;

  constructor({ api, config }: { api: Api; config: ApiConfig }, writer: Writer, naming: OperationNames) {
    this.#api = api;
    this.#config = config;
    this.#writer = writer;
    this.#naming = naming;
    this.#path = `${naming.database}${config.database}${naming.of}${collectionId(config, writer.collection)}${naming.documents}`;
  }

  add(): void {
    this.#addReads();
    this.#addCreate();
    this.#addChanges();
    for (const direction of ["increment", "decrement"] as const) this.#addStep(direction);
  }

  get #model(): z.ZodType {
    return documentSchema(this.#writer.attributes);
  }

  #addReads(): void {
    const { collection } = this.#writer;
    const { table, list } = this.#naming;
    const List = z.object({ total: z.int().max(maxCounted), [list]: z.array(this.#model) });
    this.#api.on({ method: "get", path: this.#path, does: `Lists ${collection}.`, query: Many, answer: List, table }, async (call) => {
      const look = async () => {
        const query = readQueries(call.query.queries, call.query.total);
        const { total, documents } = await listDocuments(call.site, call.viewer, collection, query).catch(refuseQuery);
        const answer = { total, [list]: documents.map((document) => documentModel(document, this.#called(call))) };
        return { answer, sameForAll: isSameForAll(collection, query) };
      };
      return keptAnswer(call, this.#question(call), look);
    });
    this.#api.on(
      { method: "get", path: `${this.#path}/{id}`, does: `One of the ${collection}.`, query: One, answer: this.#model, table },
      async (call) => {
        const id = call.params.id ?? "";
        const look = async () => ({ answer: await this.#read(call, id, readQueries(call.query.queries).select), sameForAll: false });
        return keptAnswer(call, this.#question(call, id), look);
      },
    );
  }

  #addCreate(): void {
    const { collection, create } = this.#writer;
    const { table, documentId } = this.#naming;
    const Body = z.object({ [documentId]: NewId, data: create?.data ?? z.object({}), permissions: Permissions.optional() });
    const Given = z.object({ [documentId]: NewId, data: anObject, permissions: Permissions.optional() });
    const operation = {
      method: "post",
      path: this.#path,
      does: `Creates one of the ${collection}.`,
      describes: Body,
      body: Given,
    } as const;
    this.#api.on({ ...operation, answer: this.#model, status: 201, table }, async (call) => {
      const { data, permissions } = call.body as { data: Record<string, unknown>; permissions?: string[] };
      if (Object.keys(data).length === 0) throw new ApiError("document_missing_data");
      return this.#create(call, String(call.body[documentId]), data, permissions);
    });
  }

  async #create(call: Call, chosen: string, data: Record<string, unknown>, permissions?: string[]): Promise<object> {
    const { create } = this.#writer;
    checkPermissions(call.viewer, permissions);
    if (!create) throw new ApiError("user_unauthorized");
    const checked = await checkStructure(create.data, data);
    const id = await create.run(call, chosen === "unique()" ? undefined : chosen, checked);
    return this.#read(call, id);
  }

  #addChanges(): void {
    const { collection, create, update, remove, removedUnreadBy: unread } = this.#writer;
    const { table } = this.#naming;
    const path = `${this.#path}/{id}`;
    const described = z.object({ data: (update?.data ?? z.object({})).optional(), permissions: Permissions.optional() });
    const Body = z.object({ data: anObject.optional(), permissions: Permissions.optional() });
    const answer = this.#model;

    this.#api.on(
      { method: "patch", path, does: `Changes one of the ${collection}.`, describes: described, body: Body, answer, table },
      async (call) => {
        const { data = {}, permissions } = call.body;
        if (Object.keys(data).length === 0 && permissions === undefined) throw new ApiError("document_missing_payload");
        return this.#update(call, call.params.id ?? "", data, permissions);
      },
    );
    this.#api.on(
      { method: "put", path, does: `Changes one of the ${collection}, or adds it.`, describes: described, body: Body, answer, table },
      async (call) => {
        const id = call.params.id ?? "";
        const { data = {}, permissions } = call.body;
        if (!create || (await this.#exists(call, id))) return this.#update(call, id, data, permissions);
        return this.#create(call, id, data, permissions);
      },
    );
    this.#api.on({ method: "delete", path, does: `Removes one of the ${collection}.`, answer: "nothing", table }, async (call) => {
      const id = call.params.id ?? "";
      if (!unread || !may(call.viewer, unread)) await findDocument(call.site, call.viewer, collection, id, ["$id"]);
      if (!remove) throw new ApiError("user_unauthorized");
      await remove(call, id);
      return undefined;
    });
  }

  async #exists(call: Call, id: string): Promise<boolean> {
    return findDocument(call.site, call.viewer, this.#writer.collection, id, ["$id"]).then(
      () => true,
      (error) => {
        if (isRefusal(error) && error.code === "not-found") return false;
        throw error;
      },
    );
  }

  async #update(call: Call, id: string, data: Record<string, unknown>, permissions?: string[]): Promise<object> {
    const { update, collection } = this.#writer;
    checkPermissions(call.viewer, permissions);
    await findDocument(call.site, call.viewer, collection, id, ["$id"]);
    if (Object.keys(data).length > 0) {
      if (!update) throw new ApiError("user_unauthorized");
      await update.run(call, id, await checkStructure(update.data, data));
    }
    return this.#read(call, id);
  }

  #addStep(direction: "increment" | "decrement"): void {
    const { collection, step } = this.#writer;
    const { table } = this.#naming;
    const limit = direction === "increment" ? "max" : "min";
    const positive = "Value must be numeric and greater than 0";
    const Body = z.object({
      value: z.number(positive).positive(positive).default(1),
      [limit]: z.number("Value must be numeric").optional(),
    });
    const path = `${this.#path}/{id}/{attribute}/${direction}`;
    const operation = { method: "patch", path, does: `Counts a number of one of the ${collection}.`, body: Body } as const;
    this.#api.on({ ...operation, answer: this.#model, table }, async (call) => {
      const { id = "", attribute = "" } = call.params;
      const { attributes } = await findDocument(call.site, call.viewer, collection, id).catch((error) => {
        throw isRefusal(error) && error.code === "not-found" ? new ApiError("attribute_not_found") : error;
      });
      if (!Object.hasOwn(attributes, attribute)) throw new ApiError("attribute_not_found");
      if (typeof attributes[attribute] !== "number")
        throw new ApiError("attribute_type_invalid", `Attribute "${attribute}" is not a number`);
      if (!step) throw new ApiError("user_unauthorized");
      const { value, max, min } = call.body as { value: number; max?: number; min?: number };
      await step(call, id, { attribute, value: direction === "increment" ? value : -value, max, min } satisfies Step);
      return this.#read(call, id);
    });
  }

  async #read(call: Call, id: string, select?: string[]): Promise<object> {
    checkId(this.#naming.documentId, id);
    const document = await readDocument(call.site, call.viewer, this.#writer.collection, id, select).catch(refuseQuery);
    return documentModel(document, this.#called(call));
  }

  #question({ format, request: { url } }: Call, id = ""): string {
    const query = url.indexOf("?");
    return `${this.#path} ${id} ${format} ${query < 0 ? "" : url.slice(query)}`;
  }

  #called({ format }: Call) {
    return { config: this.#config, collection: this.#writer.collection, table: this.#naming.table, format };
  }
}

function refuseQuery(error: unknown): never {
  const problem = detailsOf<BadQuery>(error, "bad-query");
  if (!problem) throw error;
  const { message } = error as Error;
  if (problem.cursor === "not-found") throw new ApiError("general_cursor_not_found", message);
  if (problem.cursor === "without-order") throw new ApiError("database_query_order_null", message);
  throw new ApiError("general_query_invalid", `Invalid query: ${message}`);
}
