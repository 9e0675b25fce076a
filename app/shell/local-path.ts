/** An address on this site to go on to, from a form or a link; anything that leads elsewhere becomes `otherwise`. */
export function localPath(to: FormDataEntryValue | string | null | undefined, otherwise = "/"): string {
  if (typeof to !== "string" || !to.startsWith("/")) return otherwise;
  const here = "http://here.invalid";
  const url = URL.parse(to, here);
  // `/.//evil.example` is a path of this site until it is resolved.
  const ours = url?.origin === here && !url.pathname.startsWith("//");
  return ours ? url.pathname + url.search + url.hash : otherwise;
}

/** The page on which a form stood, as the browser tells; `otherwise` when it doesn't or when that is another site. */
export function cameFrom(request: Request, siteUrl: string, otherwise = "/"): string {
  const url = URL.parse(request.headers.get("referer") ?? "");
  const ours = url && (url.origin === new URL(siteUrl).origin || url.host === request.headers.get("host"));
  return ours ? localPath(url.pathname + url.search, otherwise) : otherwise;
}
