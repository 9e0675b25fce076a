import { z } from "zod";
import type { Site } from "#domain/site.ts";
import { protocolVersion } from "./errors.ts";
import type { Operation } from "./operation.ts";

const errorBody = z.object({ message: z.string(), code: z.int(), type: z.string(), version: z.string() });
const project = { name: "X-Appwrite-Project", in: "header", required: true, schema: { type: "string" } };

type Paths = Record<string, Record<string, object>>;

/** The operations are described at the first request, as that takes longer than most requests; the site’s name is current. */
export function apiDescriber(operations: Operation[], site: Pick<Site, "url" | "settings">): () => object {
  let paths: Paths | undefined;
  return () => {
    paths ??= describePaths(operations);
    return describeApi(paths, site);
  };
}

function describePaths(operations: Operation[]): Paths {
  const paths: Paths = {};
  for (const operation of operations.filter(({ usesTableNames }) => !usesTableNames)) {
    const methods = paths[operation.path] ?? {};
    methods[operation.method] = describe(operation);
    paths[operation.path] = methods;
  }
  return paths;
}

function describeApi(paths: Paths, site: Pick<Site, "url" | "settings">): object {
  return {
    openapi: "3.1.0",
    info: { title: `${site.settings.siteName} API`, version: protocolVersion },
    servers: [{ url: `${site.url}/v1` }],
    components: {
      securitySchemes: {
        session: { type: "apiKey", in: "header", name: "X-Appwrite-Session" },
        jwt: { type: "apiKey", in: "header", name: "X-Appwrite-JWT" },
        key: {
          type: "apiKey",
          in: "header",
          name: "X-Appwrite-Key",
          description: "GET needs the scope `read`, everything else `write`. Staff permissions need `moderate`.",
        },
      },
      schemas: { Error: schemaOf(errorBody, "output") },
    },
    paths,
  };
}

function describe(operation: Operation): object {
  const { path, method, summary, form, membersOnly } = operation;
  const body = operation.documentedBody ?? operation.body;
  return {
    summary,
    operationId: `${method}${path.replaceAll(/[{}]/g, "").replaceAll(/[^a-zA-Z]+(.)?/g, (_all, letter: string = "") => letter.toUpperCase())}`,
    ...(membersOnly && { security: [{ session: [] }, { jwt: [] }, ...(operation.scope === "none" ? [] : [{ key: [] }])] }),
    parameters: [project, ...inPath(path), ...inQuery(operation)],
    ...(body && { requestBody: { content: { "application/json": { schema: schemaOf(body, "input") } } } }),
    ...(form && { requestBody: { content: { "multipart/form-data": { schema: schemaOf(form, "input") } } } }),
    responses: {
      ...success(operation),
      default: { description: "What went wrong.", content: json({ $ref: "#/components/schemas/Error" }) },
    },
  };
}

function success({ response, status, summary }: Operation): Record<string, object> {
  if (response === "nothing") return { 204: { description: summary } };
  if (response === "bytes") return { 200: { description: summary } };
  return { [status ?? 200]: { description: summary, content: json(schemaOf(response, "output")) } };
}

function inPath(path: string): object[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return names.map((name) => ({ name, in: "path", required: true, schema: { type: "string", maxLength: 36 } }));
}

function inQuery({ query }: Operation): object[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query, "input") as {
    properties?: Record<string, { type?: string }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name: schema.type === "array" ? `${name}[]` : name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function json(schema: object): object {
  return { "application/json": { schema } };
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
