/** Forms submit line breaks as CRLF. */
export function normalizeLineBreaks(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

export function collapseWhitespace(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

/** The first problem of each field, in their order. */
export function problemsOf(issues: { path: PropertyKey[]; message: string }[] = []): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const { path, message } of issues) problems[String(path[0] ?? "")] ??= message;
  return problems;
}
