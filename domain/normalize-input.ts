/** Forms submit line breaks as CRLF. */
export function normalizeLineBreaks(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

export function collapseWhitespace(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

export function problemsOf(issues: { path: PropertyKey[]; message: string }[]): Record<string, string> {
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [String(path[0] ?? ""), message]));
}
