import { sql } from "kysely";
import { element, xmlDocument } from "#platform/markup/xml.ts";
import { informationPages } from "../pages/information.ts";
import { NotFound } from "../refusals.ts";
import type { Site } from "../site.ts";

/** Story numbers per page; the protocol allows 50,000 addresses. */
const sitemapPageLength = 10_000;

const namespace = { xmlns: "http://www.sitemaps.org/schemas/sitemap/0.9" };

/** Skips from one non-empty page to the next without counting. */
export async function sitemapIndex(site: Site): Promise<string> {
  const length = sql.lit(sitemapPageLength);
  const { rows } = await sql<{ page: number }>`
    with recursive pages(page) as (
      select cast(-1 as bigint)
      union all
      select (select number / ${length} from posts
        where status = 'active' and number >= (pages.page + 1) * ${length} order by number limit 1)
      from pages where pages.page is not null
    )
    select page from pages where page >= 0`.execute(site.db);
  const names = ["pages", ...rows.map(({ page }) => `stories-${page}`)];
  const entries = names.map((name) => element("sitemap", {}, element("loc", {}, `${site.url}/sitemap/${name}.xml`)));
  return xmlDocument(element("sitemapindex", namespace, ...entries));
}

export function sitemapOfPages(site: Site): string {
  const listing = site.settings.publicStoryListing ? ["/all-posts"] : [];
  const paths = ["/", ...listing, "/featured-writers", ...Object.keys(informationPages).map((path) => `/${path}`), "/signup", "/login"];
  return xmlDocument(element("urlset", namespace, ...paths.map((path) => element("url", {}, element("loc", {}, site.url + path)))));
}

/** @throws NotFound for an empty page. */
export async function sitemapOfPosts(site: Site, page: number): Promise<string> {
  const rows = await site.db
    .selectFrom("posts")
    .select(["id", "updatedAt"])
    .where("number", ">=", page * sitemapPageLength)
    .where("number", "<", (page + 1) * sitemapPageLength)
    .where("status", "=", "active")
    .orderBy("number")
    .execute();
  if (rows.length === 0) throw new NotFound();
  const urls = rows.map(({ id, updatedAt }) =>
    element(
      "url",
      {},
      element("loc", {}, `${site.url}/post/${encodeURIComponent(id)}`),
      element("lastmod", {}, new Date(updatedAt).toISOString()),
    ),
  );
  return xmlDocument(element("urlset", namespace, ...urls));
}

export function robotsTxt(site: Site): string {
  const closed = [
    "/admin",
    "/messages",
    "/add-post",
    "/edit-post/",
    "/edit-profile",
    "/profile$",
    "/profile?",
    "/report",
    "/search/",
    "/logout",
    "/reset-password",
    "/verify-email",
    "/post/*/delete",
    "/post/*/react",
    "/post/*/view",
    "/v1/",
    "/live",
  ];
  return `User-agent: *\n${closed.map((path) => `Disallow: ${path}\n`).join("")}\nSitemap: ${site.url}/sitemap.xml\n`;
}
