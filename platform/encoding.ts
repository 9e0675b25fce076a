export type Encoding = "identity" | "gzip" | "br";

const refused = String.raw`(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))`;
const takesBrotli = new RegExp(String.raw`\bbr\b${refused}`);
const takesGzip = new RegExp(String.raw`\bgzip\b${refused}`);

export function acceptsGzip(accepted: string | null): boolean {
  return accepted !== null && takesGzip.test(accepted);
}

export function encodingFor(accepted: string | null | undefined): Encoding {
  if (!accepted) return "identity";
  if (takesBrotli.test(accepted)) return "br";
  return acceptsGzip(accepted) ? "gzip" : "identity";
}
