import { z } from "zod";
import type { BadQuery } from "#domain/documents/collection.server.ts";
import { findDocument, listDocuments } from "#domain/documents/documents.server.ts";
import { loadDocumentsUnchecked } from "#domain/documents/live-documents.server.ts";
import { changeFile, findServedFile, removeOwnFile } from "#domain/files/api-files.server.ts";
import { detailsOf, isRefusal } from "#domain/refusals.ts";
import type { ApiConfig } from "#platform/config.ts";
import { ApiError } from "../errors.ts";
import type { Api, Call } from "../operation.ts";
import { invalidParam, NewId, Permissions, text } from "../params.ts";
import { checkPermissions } from "../permissions.ts";
import { readQueries } from "../queries.ts";
import { File, FileList, fileModel } from "./models.ts";
import { PreviewQuery, servePreview } from "./preview.ts";
import { serveFile } from "./serve.ts";
import { checkFileName, receiveUpload } from "./upload.ts";

const Upload = z.object({
  fileId: NewId,
  file: z.file().meta({ format: "binary" }).describe("The file, or 5 MB of it with a Content-Range header."),
  "permissions[]": Permissions.optional(),
});
const Search = z.object({
  queries: z.array(z.string().max(4096)).max(100, "Value must a valid array no longer than 100 items").default([]),
  search: z.string().max(256).optional(),
  total: z.enum(["true", "false"]).default("true"),
});

export function fileOperations(api: Api, { bucket }: ApiConfig): void {
  const path = `/storage/buckets/${bucket}/files`;
  const one = `${path}/{fileId}`;

  api.on({ method: "post", path, summary: "Uploads a file or a chunk of one.", form: Upload, response: File, status: 201 }, async (call) =>
    read(call, await receiveUpload(call)),
  );
  api.on({ method: "get", path, summary: "Lists your files and public ones.", query: Search, response: FileList }, async (call) =>
    list(call),
  );
  api.on({ method: "get", path: one, summary: "Gets a file's metadata.", response: File }, async (call) =>
    read(call, call.params.fileId ?? ""),
  );
  api.on(
    {
      method: "put",
      path: one,
      summary: "Renames a file, or makes it public or private.",
      body: z.object({ name: text(200).optional(), permissions: Permissions.optional() }),
      response: File,
    },
    async (call) => {
      const { name, permissions } = call.body;
      const id = call.params.fileId ?? "";
      const isPublic = permissions && checkPermissions(call.viewer, permissions).isPublic;
      const changed = name && { name: checkFileName(call.site, name) };
      await changeFile(call.site, call.viewer, id, { ...changed, ...(isPublic !== undefined && { public: isPublic }) });
      return read(call, id);
    },
  );
  api.on({ method: "delete", path: one, summary: "Removes a file.", response: "nothing" }, async (call) => {
    await removeOwnFile(call.site, call.viewer, call.params.fileId ?? "");
    return undefined;
  });
  api.on({ method: "get", path: `${one}/download`, summary: "Downloads the file.", response: "bytes" }, (call) =>
    serveFile(call, "attachment"),
  );
  api.on({ method: "get", path: `${one}/view`, summary: "Shows the file.", response: "bytes" }, (call) => serveFile(call, "inline"));
  api.on(
    {
      method: "get",
      path: `${one}/preview`,
      summary: "Gets a picture in the next size of a fixed list (see previews in docs/api.md).",
      query: PreviewQuery,
      response: "bytes",
    },
    servePreview,
  );
}

/** Metadata also of files that the site made, such as post pictures, for everyone who may read their bytes. */
async function read({ site, viewer, config }: Call, id: string): Promise<object> {
  const own = await findDocument(site, viewer, "files", id).catch((error: unknown) => {
    if (!isRefusal(error) || error.code !== "not-found") throw error;
  });
  if (own) return fileModel(own, config);
  const { type, isPublic } = await findServedFile(site, viewer, id);
  const [file] = await loadDocumentsUnchecked(site, "files", [id]);
  if (!file) throw new ApiError("storage_file_not_found");
  const attributes = { ...file.attributes, mimeType: type, chunksUploaded: file.attributes.chunksTotal ?? 1 };
  return fileModel({ ...file, isPublic, attributes }, config);
}

async function list(call: Call<unknown, z.output<typeof Search>>): Promise<object> {
  const { queries, search, total } = call.query;
  try {
    const query = readQueries(queries, total === "true");
    if (query.select) throw invalidParam("queries", "Invalid query method: select");
    if (search) query.filters.push({ method: "contains", attribute: "name", values: [search] });
    const page = await listDocuments(call.site, call.viewer, "files", query);
    return { total: page.total, files: page.documents.map((file) => fileModel(file, call.config)) };
  } catch (error) {
    if (detailsOf<BadQuery>(error, "bad-query")) throw invalidParam("queries", `Invalid query: ${(error as Error).message}`);
    throw error instanceof ApiError && error.type === "general_query_invalid" ? invalidParam("queries", error.message) : error;
  }
}
