const nul = /\0/g;

/** PostgreSQL's text can't hold NUL, which any request may contain. Browsers show U+FFFD for it. */
export function replaceNul(parameters: readonly unknown[]): unknown[] {
  return parameters.map((value) => (typeof value === "string" && value.includes("\0") ? value.replace(nul, "\uFFFD") : value));
}
