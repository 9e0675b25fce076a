import sharp from "sharp";
import type { Upload } from "#domain/files/files.server.ts";

/** A picture of one colour, in the format its name says. */
export async function picture(name = "lighthouse.jpg", width = 1600, height = 900): Promise<Upload> {
  const format = (name.split(".").at(-1) ?? "").replace("jpg", "jpeg") as "jpeg" | "png" | "gif" | "webp";
  const bytes = await sharp({ create: { width, height, channels: 3, background: "#d63c10" } })
    .toFormat(format)
    .toBuffer();
  return { name, bytes };
}

/** Noise does not compress: a PNG of it is about as large as its pixels. */
export async function noise(megabytes: number): Promise<Upload> {
  const width = 1024;
  const height = Math.ceil((megabytes * 1024 * 1024) / (width * 3));
  const create = { width, height, channels: 3, background: "#000", noise: { type: "gaussian", mean: 128, sigma: 80 } } as const;
  return { name: "noise.png", bytes: await sharp({ create }).png({ compressionLevel: 0 }).toBuffer() };
}
