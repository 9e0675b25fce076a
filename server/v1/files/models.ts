import { z } from "zod";
import type { Document } from "#domain/documents/document.ts";
import type { ApiConfig } from "#platform/config.ts";
import { permissionsOf } from "../documents/documents.ts";
import { isoDate } from "../json.ts";
import { texts } from "../params.ts";

export const File = z.object({
  ...texts("$id", "bucketId", "$createdAt", "$updatedAt"),
  $permissions: z.array(z.string()),
  name: z.string(),
  signature: z.string().describe("MD5 of the bytes; empty until all of them are there."),
  mimeType: z.string(),
  sizeOriginal: z.int(),
  chunksTotal: z.int(),
  chunksUploaded: z.int(),
  ...texts("folder", "key"),
  sizeActual: z.int(),
  encryption: z.boolean(),
  compression: z.string(),
});
export const FileList = z.object({ total: z.int(), files: z.array(File) });

export function fileModel({ id, createdAt, updatedAt, attributes, ...rest }: Document, { bucket }: ApiConfig): Record<string, unknown> {
  return {
    $id: id,
    bucketId: bucket,
    $createdAt: isoDate(createdAt),
    $updatedAt: isoDate(updatedAt),
    $permissions: permissionsOf(rest),
    ...attributes,
    folder: "",
    key: attributes.name,
    sizeActual: attributes.sizeOriginal,
    encryption: false,
    compression: "none",
  };
}
