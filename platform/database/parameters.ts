const nul = /\0/g;

/**
 * PostgreSQL's text can't hold the character NUL, which anybody may put into an address or a form. Browsers show U+FFFD
 * for it, so that is what is stored and looked for.
 */
export function storable(parameters: readonly unknown[]): unknown[] {
  return parameters.map((value) => (typeof value === "string" && value.includes("\0") ? value.replace(nul, "\uFFFD") : value));
}
