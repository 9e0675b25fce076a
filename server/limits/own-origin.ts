import { isThisMachine } from "#platform/this-machine.ts";

/**
 * Whether a page with this origin is one of the site's own: scheme, host and port are those of SITE_URL. The Host header says
 * nothing, its sender chose it. A site that is only for this machine has all of the machine's names.
 */
export function isOwnOrigin(origin: string, siteUrl: string): boolean {
  const own = new URL(siteUrl);
  if (origin === own.origin) return true;
  const from = URL.parse(origin);
  if (!from || from.origin !== origin || !isThisMachine(own)) return false;
  return isThisMachine(from) && from.protocol === own.protocol && from.port === own.port;
}

/**
 * Whether a request that changes something comes from the site's own pages. Browsers say so with `Origin`, older ones with
 * `Sec-Fetch-Site`; who says neither is a program, and is believed unless it brings the cookie that a browser would send along.
 */
export function isFromOwnPage(header: (name: string) => string | undefined, siteUrl: string, sessionCookie: string): boolean {
  const origin = header("origin");
  if (origin !== undefined) return isOwnOrigin(origin, siteUrl);
  const fetchSite = header("sec-fetch-site");
  if (fetchSite !== undefined) return fetchSite === "same-origin";
  return !(header("cookie") ?? "").includes(`${sessionCookie}=`);
}
