export type SocialHandles = { website: string; twitter: string; github: string; linkedIn: string };

export type SocialNetwork = "website" | "twitter" | "github" | "linkedIn";

/**
 * Where a handle leads (specification §3, Social link normalisation): a website gets https:// unless it starts with
 * http, Twitter loses a leading @, GitHub and LinkedIn handles become addresses on their sites. Null when nothing is
 * set, or when it would lead anywhere but to a web page.
 */
export function socialLink(network: SocialNetwork, typed: string): string | null {
  const handle = typed.trim();
  if (handle === "") return null;
  const url = URL.parse(addressOf(network, handle));
  return url && (url.protocol === "https:" || url.protocol === "http:") ? url.href : null;
}

function addressOf(network: SocialNetwork, handle: string): string {
  if (network === "website") return handle.startsWith("http") ? handle : `https://${handle}`;
  if (/^https?:\/\//i.test(handle)) return handle;
  const name = encodeURIComponent(handle.replace(/^@/, ""));
  if (network === "twitter") return `https://twitter.com/${name}`;
  if (network === "github") return `https://github.com/${name}`;
  return `https://www.linkedin.com/in/${name}`;
}
