import { createHash } from "node:crypto";

/** `scripts` is what inline scripts are allowed by; styles that scripts add while the page is used show the nonce. */
export function contentSecurityPolicy({ nonce, scripts }: { nonce: string; scripts: string }, dev = false): string {
  const own = (allowed: string) => (dev ? "'self' 'unsafe-inline'" : `'self' ${allowed}`);
  return [
    "default-src 'self'",
    `script-src ${own(scripts)}`.trim(),
    `style-src ${own(`'nonce-${nonce}'`)}`,
    // style={{…}} in server-rendered HTML.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    dev ? "connect-src 'self' ws:" : "connect-src 'self'",
    dev ? "worker-src 'self' blob:" : "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * The hashes of a page's own inline scripts. Its own are those that show the nonce it was rendered with: whatever gets into a page by way
 * of its contents can't know it.
 */
export function scriptHashes(html: string, nonce: string): string {
  const hashes = new Set<string>();
  for (const [, attributes = "", text = ""] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
    const runs = attributes.includes(`nonce="${nonce}"`) && !/\bsrc="|\btype="application\//.test(attributes);
    if (runs) hashes.add(`'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  }
  return [...hashes].join(" ");
}
