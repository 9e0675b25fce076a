import { minutes } from "#platform/time.ts";

/** Hands a fetched file to the browser as a download, under the name in the response. */
export function saveFile(file: Blob, { headers }: Response, fallbackName: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = /filename="([^"]+)"/.exec(headers.get("content-disposition") ?? "")?.[1] ?? fallbackName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), minutes(1));
}
