import { featuredHeight, featuredQuality, featuredWidth, optimizedName } from "#domain/files/picture.ts";

/**
 * The picture cut around its centre to 1200x630, as a JPEG (specification §5, Image processing).
 * @throws when the browser can't read the file as a picture.
 */
export async function cropPicture(file: File): Promise<File> {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  const canvas = document.createElement("canvas");
  canvas.width = featuredWidth;
  canvas.height = featuredHeight;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.fillStyle = "#fff"; // JPEG has no transparency.
  context.fillRect(0, 0, featuredWidth, featuredHeight);
  const scale = Math.max(featuredWidth / bitmap.width, featuredHeight / bitmap.height);
  const [width, height] = [featuredWidth / scale, featuredHeight / scale];
  context.drawImage(bitmap, (bitmap.width - width) / 2, (bitmap.height - height) / 2, width, height, 0, 0, featuredWidth, featuredHeight);
  bitmap.close();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", featuredQuality));
  if (!blob) throw new Error("the picture could not be encoded");
  return new File([blob], optimizedName(file.name), { type: "image/jpeg" });
}
