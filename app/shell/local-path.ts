/** A path on this site for a redirect; the URL of another site becomes `otherwise`. */
export function localPath(to: FormDataEntryValue | string | null | undefined, otherwise = "/"): string {
  if (typeof to !== "string" || !to.startsWith("/")) return otherwise;
  const here = "http://here.invalid";
  const url = URL.parse(to, here);
  // `/.//evil.example` looks like a path of this site until it is resolved.
  const ours = url?.origin === here && !url.pathname.startsWith("//");
  return ours ? url.pathname + url.search + url.hash : otherwise;
}

/** The page with the form, from the Referer header; `otherwise` without one or for another site. */
export function refererPath(request: Request, siteUrl: string, otherwise = "/"): string {
  const url = URL.parse(request.headers.get("referer") ?? "");
  const ours = url && (url.origin === new URL(siteUrl).origin || url.host === request.headers.get("host"));
  return ours ? localPath(url.pathname + url.search, otherwise) : otherwise;
}
