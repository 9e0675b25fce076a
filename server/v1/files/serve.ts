import { createHash } from "node:crypto";
import { z } from "zod";
import { findServedFile, readWhole, type ServedFile, streamFile } from "#domain/files/api-files.server.ts";
import { pictureMaxBytes, pictureTypes } from "#domain/files/picture.ts";
import type { Site } from "#domain/site.ts";
import { inTurn, TooManyPictures, UnreadablePicture } from "#platform/files/images.ts";
import { blankSheet, makePreview, type Preview, type PreviewFormat } from "#platform/files/preview.ts";
import { contentOf, sendFile } from "../../send-file.ts";
import type { Call } from "../call.ts";
import { ApiError } from "../errors.ts";
import { range } from "../params.ts";

/** What browsers may show by themselves. Everything else of what people send is text to them, or a download. */
const shown = /^(image\/(png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf|text\/plain)$/;

/** The file as it was sent, to look at or to keep. */
export async function serveFile(call: Call, as: "inline" | "attachment"): Promise<Response> {
  const { site, viewer, request, params } = call;
  const file = await findServedFile(site, viewer, params.fileId ?? "");
  const type = as === "attachment" || shown.test(file.type) ? file.type : "text/plain";
  const headers = headersOf(file, type, { as, maxAge: 3_888_000, tag: as });
  const response = await sendFile(request, headers, async () => ({
    size: file.size,
    part: async (start, end) => streamFile(site, file, start, end),
  }));
  if (response.status === 416) throw new ApiError("storage_invalid_range");
  if (response.status === 404) throw new ApiError("storage_file_not_found");
  return response;
}

const Colour = z
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
  borderColor: Colour,
  borderRadius: range(0, 4000).default(0),
  opacity: range(0, 1, { whole: false }).default(1),
  rotation: range(-360, 360).default(0),
  background: Colour,
  output: z.enum(["jpg", "jpeg", "png", "webp", "heic", "avif", "gif", ""]).default(""),
});

/** Beyond that a client is asked to come back, rather than to wait for minutes. */
const waitingAtMost = 50;

/** A picture as it was asked for; of a file that is none, a picture that says so. */
export async function servePreview(call: Call<unknown, z.output<typeof PreviewQuery>>): Promise<Response> {
  const { site, viewer, request, params, query } = call;
  const file = await findServedFile(site, viewer, params.fileId ?? "");
  const preview = readPreview(query, file.type);
  const headers = headersOf(file, `image/${preview.format}`, { as: "inline", maxAge: 2_592_000, tag: JSON.stringify(query) });
  return sendFile(request, headers, async () => contentOf(await drawInTurn(site, file, preview)));
}

/** The file is read in its turn as well: it may be large. */
function drawInTurn(site: Site, file: ServedFile, preview: Preview): Promise<Buffer> {
  return inTurn(() => draw(site, file, preview), waitingAtMost).catch((error) => {
    throw error instanceof TooManyPictures ? new ApiError("general_unavailable") : error;
  });
}

async function draw(site: Site, file: ServedFile, preview: Preview): Promise<Buffer> {
  const isPicture = pictureTypes.includes(file.type) && file.size <= pictureMaxBytes;
  const sheet = async () => makePreview(await blankSheet(), preview);
  if (!isPicture) return sheet();
  return makePreview(await readWhole(site, file), preview).catch((error) => {
    if (error instanceof UnreadablePicture) return sheet();
    throw error;
  });
}

function readPreview(query: z.output<typeof PreviewQuery>, type: string): Preview {
  const { width, height, gravity, quality, borderWidth, borderColor, borderRadius, opacity, rotation, background, output } = query;
  return {
    ...{ width, height, borderWidth, borderRadius, opacity, rotation },
    gravity: gravity === "auto" ? "center" : gravity,
    quality: quality < 1 ? undefined : quality,
    borderColor: colour(borderColor) ?? "#000000",
    background: colour(background),
    format: formatOf(output || type.replace("image/", "")),
  };
}

/** HEIC needs a licence; what reads it reads AVIF. */
function formatOf(name: string): PreviewFormat {
  if (name === "heic") return "avif";
  return (["png", "webp", "avif", "gif"] as const).find((each) => each === name) ?? "jpeg";
}

function colour(hex: string): string | undefined {
  if (hex === "") return undefined;
  return `#${hex.length === 3 ? hex.replaceAll(/./g, "$&$&") : hex}`;
}

function headersOf(file: ServedFile, type: string, { as, maxAge, tag }: { as: string; maxAge: number; tag: string }): Headers {
  const ascii = file.name.replaceAll(/[^\x20-\x7e]|["\\]/g, "_");
  return new Headers({
    etag: `"${createHash("sha256").update(`${file.id} ${file.version} ${tag}`).digest("base64url").slice(0, 22)}"`,
    "content-type": type,
    "content-disposition": `${as}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    // Who may not see it any more shall not see it any more.
    "cache-control": file.isPublic ? `private, max-age=${maxAge}` : "private, no-cache",
    "content-security-policy": "sandbox; default-src 'none'; script-src 'none'",
    "cross-origin-resource-policy": "cross-origin",
  });
}
