import { createHash } from "node:crypto";
import { findServedFile, type ServedFile, streamFile } from "#domain/files/api-files.server.ts";
import { encodedName } from "#server/files/files.ts";
import { sendFile } from "#server/files/send-file.ts";
import { ApiError } from "../errors.ts";
import type { Call } from "../operation.ts";

const inlineTypes = /^(image\/(png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf|text\/plain)$/;

export async function serveFile(call: Call, as: "inline" | "attachment"): Promise<Response> {
  const { site, viewer, request, params } = call;
  const file = await findServedFile(site, viewer, params.fileId ?? "");
  const type = as === "attachment" || inlineTypes.test(file.type) ? file.type : "text/plain";
  const headers = headersOf(file, type, { as, maxAge: 3_888_000, tag: as });
  const response = await sendFile(request, headers, async () => ({
    size: file.size,
    part: async (start, end) => streamFile(site, file, start, end),
  }));
  if (response.status === 416) throw new ApiError("storage_invalid_range");
  if (response.status === 404) throw new ApiError("storage_file_not_found");
  return response;
}

/** @param tag - distinguishes the forms of a file in its ETag. */
export function headersOf(file: ServedFile, type: string, { as, maxAge, tag }: { as: string; maxAge: number; tag: string }): Headers {
  const ascii = file.name.replaceAll(/[^\x20-\x7e]|["\\]/g, "_");
  return new Headers({
    etag: `"${createHash("sha256").update(`${file.id} ${file.version} ${tag}`).digest("base64url").slice(0, 22)}"`,
    "content-type": type,
    "content-disposition": `${as}; filename="${ascii}"; filename*=UTF-8''${encodedName(file.name)}`,
    // A private file has to be checked each time: access may have ended.
    "cache-control": file.isPublic ? `private, max-age=${maxAge}` : "private, no-cache",
    "content-security-policy": "sandbox; default-src 'none'; script-src 'none'",
    "cross-origin-resource-policy": "cross-origin",
  });
}
