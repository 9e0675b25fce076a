export type ExportFile = { name: string; input: string | Uint8Array | AsyncIterable<string | Uint8Array>; lastModified?: number };

export type ListItem = { title: string; url: string; date: string; row: Record<string, string> };

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function fileName({ id, name }: { id: string; name: string }): string {
  const plain = name.replace(/[^\p{L}\p{N}._ -]/gu, "_").replace(/^\.+/, "_");
  return `${id}-${plain.slice(-80) || "file"}`;
}

export const rowsPerBatch = 200;

export async function* jsonList(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = "[\n";
  for await (const row of rows) {
    yield `${before}  ${JSON.stringify(row)}`;
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}

export function frontMatter(facts: Record<string, string | number | boolean | null | undefined>): string {
  const lines = Object.entries(facts).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`],
  );
  return `---\n${lines.join("\n")}\n---\n\n`;
}

export function plainMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()<>#+!|~]/g, "\\$&").replace(/\s+/g, " ");
}

export function iso(time: number): string {
  return new Date(time).toISOString();
}
