import { createHash } from "node:crypto";

/** @param scripts - the sources that allow inline scripts. Styles that scripts add later carry the nonce. */
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

/** Hashes of the inline scripts that carry the page's nonce. Injected scripts can't know it. */
export function scriptHashes(html: string, nonce: string): string {
  const hashes = new Set<string>();
  for (const [, attributes = "", text = ""] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
    const runs = attributes.includes(`nonce="${nonce}"`) && !/\bsrc="|\btype="application\//.test(attributes);
    if (runs) hashes.add(`'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  }
  return [...hashes].join(" ");
}
