export type SocialHandles = { website: string; twitter: string; github: string; linkedIn: string };

export type SocialNetwork = "website" | "twitter" | "github" | "linkedIn";

/** Specification §3, social links. Null if empty or not a web address. */
export function socialLink(network: SocialNetwork, typed: string): string | null {
  const handle = typed.trim();
  if (handle === "") return null;
  const url = URL.parse(urlOf(network, handle));
  return url && (url.protocol === "https:" || url.protocol === "http:") ? url.href : null;
}

function urlOf(network: SocialNetwork, handle: string): string {
  if (network === "website") return /^http/i.test(handle) ? handle : `https://${handle}`;
  if (/^https?:\/\//i.test(handle)) return handle;
  const name = encodeURIComponent(handle.replace(/^@/, ""));
  if (network === "twitter") return `https://twitter.com/${name}`;
  if (network === "github") return `https://github.com/${name}`;
  return `https://www.linkedin.com/in/${name}`;
}
