import { z } from "zod";
import { findServedFile } from "#domain/files/api-files.server.ts";
import { type RequestedPreview, roundToGrid } from "#domain/files/preview-grid.ts";
import { previewParams, readPreview } from "#domain/files/previews.server.ts";
import { networkOf } from "#domain/limits/rate-limits.server.ts";
import type { PreviewFormat } from "#platform/files/preview.ts";
import { contentOf, sendFile } from "#server/files/send-file.ts";
import { ApiError } from "../errors.ts";
import type { Call } from "../operation.ts";
import { range } from "../params.ts";
import { headersOf } from "./serve.ts";

const Color = z
  .string()
  .regex(/^([0-9a-fA-F]{3}|[0-9a-fA-F]{6})?$/, "Value must be a valid Hex color code")
  .default("");
const gravities = ["center", "top-left", "top", "top-right", "left", "right", "bottom-left", "bottom", "bottom-right", "auto"] as const;

export const PreviewQuery = z.object({
  width: range(0, 4000).default(0),
  height: range(0, 4000).default(0),
  gravity: z.enum(gravities).default("center"),
  quality: range(-1, 100).default(-1),
  borderWidth: range(0, 100).default(0),
  borderColor: Color,
  borderRadius: range(0, 4000).default(0),
  opacity: range(0, 1, { integer: false }).default(1),
  rotation: range(-360, 360).default(0),
  background: Color,
  output: z.enum(["jpg", "jpeg", "png", "webp", "heic", "avif", "gif", ""]).default(""),
});

/** The requested picture in the next size of the grid (`roundToGrid`); for other files a placeholder picture. */
export async function servePreview(call: Call<unknown, z.output<typeof PreviewQuery>>): Promise<Response> {
  const { site, viewer, request, params, query, client } = call;
  const file = await findServedFile(site, viewer, params.fileId ?? "");
  const preview = roundToGrid(previewOptions(query, file.type), !viewer);
  const requester = {
    key: viewer ? `member:${viewer.id}` : `network:${networkOf(client.ip)}`,
    isVisitor: !viewer,
    signal: request.signal,
  };
  const headers = headersOf(file, `image/${preview.format}`, { as: "inline", maxAge: 2_592_000, tag: previewParams(preview) });
  return sendFile(request, headers, async () => contentOf(await readPreview(site, file, preview, requester))).catch((error) => {
    // The client disconnected.
    throw request.signal.aborted ? new ApiError("general_unavailable") : error;
  });
}

function previewOptions(query: z.output<typeof PreviewQuery>, type: string): RequestedPreview {
  const { width, height, gravity, quality, borderWidth, borderColor, borderRadius, opacity, rotation, background, output } = query;
  return {
    ...{ width, height, borderWidth, borderRadius, opacity, rotation },
    gravity: gravity === "auto" ? "center" : gravity,
    quality: quality < 1 ? undefined : quality,
    borderColor: color(borderColor) ?? "#000000",
    background: color(background),
    format: formatOf(output || type.replace("image/", "")),
  };
}

function formatOf(name: string): PreviewFormat {
  if (name === "heic") return "avif";
  return (["png", "webp", "avif", "gif"] as const).find((each) => each === name) ?? "jpeg";
}

function color(hex: string): string | undefined {
  if (hex === "") return undefined;
  return `#${hex.length === 3 ? hex.replaceAll(/./g, "$&$&") : hex}`;
}
