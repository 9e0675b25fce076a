import { encode } from "uqr";

/** A square of `size` units with a quiet margin; `path` draws its dark ones. */
export type QrCode = { size: number; path: string };

/** A text as cameras read it. */
export function qrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return { size, path };
}
