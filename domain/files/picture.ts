import { megabyte } from "#platform/bytes.ts";

/** Limits and texts of pictures; browser-safe (specification §5, Post form and Image processing). */
export const pictureMaxBytes = 10 * megabyte;
export const featuredWidth = 1200;
export const featuredHeight = 630;
/** Pixels. Wider pictures in a story's text are scaled down. */
export const postPictureMaxWidth = 2000;
export const animatedImageMaxWidth = 1200;
export const featuredQuality = 0.85;
export const pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];
export const pictureExtensions = ".png,.jpg,.jpeg,.gif,.webp";

export function tooLargeText(maxBytes: number): string {
  return `Image size should be less than ${maxBytes / 1024 / 1024}MB`;
}

export const pictureTexts = {
  wrongType: "Please select a valid image file",
  tooLarge: tooLargeText(pictureMaxBytes),
  animationTooLong: "Animated images can have up to 1,000 frames and 40 million pixels in total",
  processed: "Image processed successfully!",
  notStored: "the picture couldn’t be saved. Please try again.",
  notUploaded: "Failed to upload image",
  removed: "Image removed",
  failed: "Failed to process image",
  usingOriginal: "Failed to process image. Using original file.",
};

/** Why a file that a person chose can't be sent; undefined if it can. The server checks the bytes again. */
export function pictureProblem({ type, size }: { type: string; size: number }): string | undefined {
  if (!pictureTypes.includes(type)) return pictureTexts.wrongType;
  return size > pictureMaxBytes ? pictureTexts.tooLarge : undefined;
}

/** `holiday.png` becomes `holiday_optimized.jpg`. */
export function optimizedName(name: string): string {
  const stem = name.replace(/\.[^.]*$/, "").replace(/_optimized$/, "") || "picture";
  return `${stem}_optimized.jpg`;
}

export const pictureWidths = [96, 192, 320, 640, 960, 1200] as const;
export type PictureWidth = (typeof pictureWidths)[number];

export function widthAtLeast(pixels: number): PictureWidth {
  return pictureWidths.find((width) => width >= pixels) ?? 1200;
}

export function fileUrl(fileId: string): string {
  return `/files/${fileId}`;
}

export function pictureUrl(fileId: string, width: PictureWidth, format: "avif" | "webp" | "jpeg" = "jpeg"): string {
  return `${fileUrl(fileId)}/${width}.${format}`;
}

/** The four largest widths between the two; of WebP, for the few browsers without AVIF, every second one. */
export function pictureSources(fileId: string, format: "avif" | "webp", smallest: PictureWidth, largest: PictureWidth): string {
  return pictureWidths
    .filter((width) => width >= smallest && width <= largest)
    .slice(-4)
    .filter((_, index) => format === "avif" || index % 2 === 1)
    .map((width) => `${pictureUrl(fileId, width, format)} ${width}w`)
    .join(", ");
}
