import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import routes from "#app/routes.ts";

/** An endpoint and its known parameters. */
export type Endpoint = {
  name: string;
  kind: "page" | "api" | "file" | "socket";
  method: string;
  /** `{name}` is a parameter. */
  path: string;
  /** Field and query names in its source. */
  fields: string[];
  /** The API's description of its body and parameters. */
  body?: Schema | undefined;
  parameters?: string[];
  isMultipart?: boolean;
};

export type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
};

type Route = { path?: string; file: string; index?: boolean; children?: Route[] };
type OperationDescription = {
  paths: Record<
    string,
    Record<string, { parameters?: { name: string; in: string }[]; requestBody?: { content: Record<string, { schema: Schema }> } }>
  >;
};

const root = join(import.meta.dirname, "..", "..");

/** All endpoints: pages from the route map, the API from its own description. */
export async function listEndpoints(origin: string): Promise<Endpoint[]> {
  const described = (await (await fetch(`${origin}/v1/openapi.json`)).json()) as OperationDescription;
  return [...pages(routes as Route[], ""), ...apiOperations(described), ...files, ...sockets];
}

function pages(list: Route[], before: string): Endpoint[] {
  return list.flatMap((route) => {
    const path = `${before}/${route.path ?? ""}`
      .replaceAll(/\/+/g, "/")
      .replaceAll(/:(\w+)/g, "{$1}")
      .replace("*", "{other}");
    const fields = fieldsOf(route.file);
    const own: Endpoint[] = ["GET", "POST"].map((method) => ({ name: `${method} ${path}`, kind: "page", method, path, fields }));
    return [...own, ...pages(route.children ?? [], path)];
  });
}

/** `name="title"`, `form.get("title")`, `title: z.string()`, `fields.title`. */
const fieldPatterns = [/name="(\w+)"/g, /\.(?:get|getAll|has)\("(\w+)"\)/g, /(\w+): z\./g, /fields\.(\w+)/g];
/** Maintenance mode would close the site for the rest of the run. */
const excludedFields = new Set(["maintenanceMode"]);
const fieldsByFolder = new Map<string, string[]>();

/** Field names in all source files of the route's folder: schemas are often in other files. */
function fieldsOf(file: string): string[] {
  const noun = dirname(file);
  const found = fieldsByFolder.get(noun) ?? [...new Set(["app", "domain"].flatMap((folder) => fieldsIn(join(root, folder, noun))))];
  fieldsByFolder.set(noun, found);
  return found;
}

function fieldsIn(folder: string): string[] {
  const names = listFiles(folder).filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."));
  return names.flatMap((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    return fieldPatterns
      .flatMap((pattern) => [...text.matchAll(pattern)].map(([, field = ""]) => field))
      .filter((field) => !excludedFields.has(field));
  });
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true }).map(String);
  } catch {
    return [];
  }
}

function apiOperations({ paths }: OperationDescription): Endpoint[] {
  const collections = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]): Endpoint => {
      const multipart = requestBody?.content["multipart/form-data"];
      const body = requestBody?.content["application/json"]?.schema ?? multipart?.schema;
      return {
        name: `${method.toUpperCase()} /v1${path}`,
        kind: "api",
        method: method.toUpperCase(),
        path: `/v1${path}`,
        fields: Object.keys(body?.properties ?? {}),
        body,
        parameters: parameters.filter((each) => each.in === "query").map(({ name }) => name),
        isMultipart: multipart !== undefined,
      };
    }),
  );
  const tables = collections
    .filter(({ path }) => path.includes("/collections/"))
    .map((each) => ({
      ...each,
      path: each.path.replace("/databases/", "/tablesdb/").replace("/collections/", "/tables/").replace("/documents", "/rows"),
    }));
  return [...collections, ...tables.map((each) => ({ ...each, name: `${each.method} ${each.path}` }))];
}

const files: Endpoint[] = [
  "/files/{id}",
  "/files/{id}/{width}.avif",
  "/files/{id}/{width}.webp",
  "/files/{id}/{width}.jpeg",
  "/feed.xml",
  "/profile/{userId}/feed.xml",
  "/sitemap.xml",
  "/sitemap/pages.xml",
  "/sitemap/stories-{page}.xml",
  "/robots.txt",
  "/.well-known/security.txt",
  "/readyz",
  "/assets/{name}",
  "/v1/openapi.json",
].map((path) => ({ name: `GET ${path}`, kind: "file", method: "GET", path, fields: [] }));

const sockets: Endpoint[] = ["/live", "/v1/realtime"].map((path) => ({
  name: `WS ${path}`,
  kind: "socket",
  method: "GET",
  path,
  fields: [],
}));
