import { isLocalhost } from "#platform/localhost.ts";

/** Compares with SITE_URL, never with the Host header, which the client chooses. A site on localhost accepts all names of localhost. */
export function isOwnOrigin(origin: string, siteUrl: string): boolean {
  const own = new URL(siteUrl);
  if (origin === own.origin) return true;
  const from = URL.parse(origin);
  if (!from || from.origin !== origin || !isLocalhost(own)) return false;
  return isLocalhost(from) && from.protocol === own.protocol && from.port === own.port;
}

/** By `Origin`, or else `Sec-Fetch-Site`. Without either it is a program, which is trusted unless it sends the session cookie. */
export function isFromOwnPage(header: (name: string) => string | undefined, siteUrl: string, sessionCookie: string): boolean {
  const origin = header("origin");
  if (origin !== undefined) return isOwnOrigin(origin, siteUrl);
  const fetchSite = header("sec-fetch-site");
  if (fetchSite !== undefined) return fetchSite === "same-origin";
  return !(header("cookie") ?? "").includes(`${sessionCookie}=`);
}
