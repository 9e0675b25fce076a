import { siteContext } from "#app/context.ts";
import { quickSearch } from "#domain/search/quick-search.server.ts";
import type { Route } from "./+types/suggestions-resource.ts";

/** JSON for the search box: `?q=`. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const posts = await quickSearch(context.get(siteContext), url.searchParams.get("q") ?? "");
  return Response.json({ posts }, { headers: { "cache-control": "private, max-age=30", "x-robots-tag": "noindex" } });
}
