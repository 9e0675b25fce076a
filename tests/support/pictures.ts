import sharp from "sharp";
import type { Upload } from "#domain/files/files.server.ts";

const made = new Map<string, Promise<Buffer>>();

/** A picture of one color in its name's format, always the same bytes. It suits a cover and is kept unchanged. */
export async function picture(name = "lighthouse.jpg", width = 1200, height = 630): Promise<Upload> {
  const format = (name.split(".").at(-1) ?? "").replace("jpg", "jpeg") as "jpeg" | "png" | "gif" | "webp";
  const key = `${format} ${width}x${height}`;
  const create = { width, height, channels: 3, background: "#d63c10" } as const;
  made.set(key, made.get(key) ?? sharp({ create }).toFormat(format).toBuffer());
  return { name, bytes: Buffer.from((await made.get(key)) ?? []) };
}

/** Animated: `frames` of different colors, each shown longer than the one before. */
export async function animatedImage(frames: number, width = 60, height = 40, format: "gif" | "webp" = "gif"): Promise<Upload> {
  const colors = Array.from({ length: frames }, (_, i) => ({ r: (i * 67) % 256, g: (i * 31) % 256, b: i % 256 }));
  const made = await Promise.all(
    colors.map((background) =>
      sharp({ create: { width, height, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const delay = colors.map((_, i) => 50 + 10 * (i % 100));
  const moving = sharp(made, { join: { animated: true } });
  const bytes = await (format === "gif" ? moving.gif({ delay, loop: 3 }) : moving.webp({ delay, loop: 3 })).toBuffer();
  return { name: `waves.${format}`, bytes };
}

/** A GIF that declares so many frames of this size, in a few bytes each. */
export function gifBomb(frames: number, width: number, height: number): Upload {
  const size = [width % 256, width >> 8, height % 256, height >> 8];
  const head = [...Buffer.from("GIF89a"), ...size, 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
  const pixel = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
  const frame = Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0, ...pixel]);
  return { name: "bomb.gif", bytes: Buffer.concat([Buffer.from(head), ...new Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])]) };
}

/** A PNG of noise, about as large as its pixels. */
export async function noise(megabytes: number): Promise<Upload> {
  const width = 1024;
  const height = Math.ceil((megabytes * 1024 * 1024) / (width * 3));
  const create = { width, height, channels: 3, background: "#000", noise: { type: "gaussian", mean: 128, sigma: 80 } } as const;
  return { name: "noise.png", bytes: await sharp({ create }).png({ compressionLevel: 0 }).toBuffer() };
}
