import { fileTypeFromBuffer } from "file-type";
import { getMimeType } from "hono/utils/mime";
import { z } from "zod";
import { chunkBytes, storeChunk } from "#domain/files/api-files.server.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { detailsOf, isRefusal } from "#domain/refusals.ts";
import { maxFileBytes } from "#domain/settings/settings.ts";
import type { Site } from "#domain/site.ts";
import { ApiError } from "../errors.ts";
import type { Call } from "../operation.ts";
import { Id, invalidParam, NewId, Permissions, parseParams } from "../params.ts";
import { checkPermissions } from "../permissions.ts";

const Form = z.object({ fileId: NewId, permissions: Permissions.optional() });
const maxNameLength = 200;

export async function receiveUpload(call: Call): Promise<string> {
  const { site, viewer, request } = call;
  if (!viewer) throw new ApiError("user_unauthorized");
  const range = readContentRange(request.headers.get("content-range"));
  const form = await readUpload(request);
  const { fileId, permissions } = parseParams(Form, { fileId: form.get("fileId"), permissions: listOf(form, "permissions") });
  const file = form.get("file");
  if (!(file instanceof File)) throw new ApiError("storage_file_empty", "No file sent");
  if (file.size === 0) throw new ApiError("storage_file_empty");
  const name = checkFileName(site, file.name);
  if ((range?.total ?? file.size) > maxFileBytes(site.settings)) throw new ApiError("storage_invalid_file_size");
  const { isPublic } = checkPermissions(viewer, permissions);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const id = chosenId(fileId, request.headers.get("x-appwrite-id"));
  const type = getMimeType(name)?.split(";")[0] ?? "application/octet-stream";
  if (!range?.start && !(await hasDeclaredType(type, bytes))) throw new ApiError("storage_file_type_unsupported");
  return storeChunk(site, viewer, { id, name, type, bytes, of: range, publicly: isPublic }).catch((error) => {
    throw detailsOf(error, "content-range") ? new ApiError("storage_invalid_content_range") : error;
  });
}

/** Types that browsers show and that can be recognized by their first bytes. */
const recognizableTypes = ["image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "application/pdf"];

async function hasDeclaredType(type: string, bytes: Uint8Array): Promise<boolean> {
  return !recognizableTypes.includes(type) || (await fileTypeFromBuffer(bytes))?.mime === type;
}

function chosenId(field: string, header: string | null): string | undefined {
  if (header === null || header === "") return field === "unique()" ? undefined : field;
  if (!Id.safeParse(header).success) throw new ApiError("storage_invalid_appwrite_id");
  return header;
}

/** `bytes 0-5242879/11534336` */
function readContentRange(header: string | null): { start: number; total: number } | undefined {
  if (header === null) return undefined;
  const [, start, end, total] = /^bytes (\d{1,13})-(\d{1,13})\/(\d{1,13})$/.exec(header)?.map(Number) ?? [];
  if (start === undefined || end === undefined || total === undefined) throw new ApiError("storage_invalid_content_range");
  const fits = end < total && end - start + 1 === Math.min(chunkBytes, total - start);
  if (!fits || start % chunkBytes !== 0) throw new ApiError("storage_invalid_content_range");
  return { start, total };
}

async function readUpload(request: Request): Promise<FormData> {
  try {
    return await readForm(request, formLimits.apiUpload);
  } catch (error) {
    if (isRefusal(error) && error.code === "too-large") throw new ApiError("storage_invalid_file_size");
    throw new ApiError("general_argument_invalid", "The request's body must be a multipart form.");
  }
}

/** `permissions[]`, `permissions[0]` … */
function listOf(form: FormData, name: string): string[] | undefined {
  const found = [...form].filter(([key, value]) => new RegExp(`^${name}(\\[\\d*\\])?$`).test(key) && value !== "null");
  return found.length > 0 ? found.map(([, value]) => String(value)) : undefined;
}

/** Without folders and signs that hide the ending. @throws ApiError for an ending that the settings don't allow, or a long name. */
export function checkFileName({ settings }: Site, given: string): string {
  const name = (given.split(/[\\/]/).at(-1) ?? "").replaceAll(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, "").trim();
  const ending = /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? "";
  if (!settings.allowedFileTypes.includes(ending)) throw new ApiError("storage_file_type_unsupported");
  if (name.length > maxNameLength) throw invalidParam("file", "The file's name is too long.");
  return name;
}
