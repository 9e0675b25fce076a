/** Where a picture goes once it is uploaded. Those of uploads that ended with their page are stale. */
const placeholders = /!\[Uploading [^[\]\n]* \(\d+\)…\]\(\)(?:\n\n)?/g;

const uploading = new Set<string>();

/** `name` without brackets. Call `end` when the upload has ended. */
export function beginUpload(name: string, key: number): { placeholder: string; end: () => void } {
  const placeholder = `![Uploading ${name} (${key})…]()`;
  uploading.add(placeholder);
  return { placeholder, end: () => void uploading.delete(placeholder) };
}

export function awaitsPicture(text: string): boolean {
  return [...uploading].some((placeholder) => text.includes(placeholder));
}

/** For saves: a second page of the draft would take them for stale, and the first would then lose the place of its picture. */
export function withoutPlaceholders(text: string): string {
  return text.replace(placeholders, "");
}

export function withoutStalePlaceholders(text: string): string {
  return text.replace(placeholders, (found) => (uploading.has(found.trimEnd()) ? found : ""));
}
