import type { MetaDescriptor } from "react-router";
import { pictureUrl } from "#domain/files/picture.ts";
import { defaultSettings } from "#domain/settings/settings.ts";
import { type RootData, siteData } from "./root-data.ts";

export type PageMeta = {
  siteName?: string | undefined;
  /** Without the site's name, which is added. The site's own title by default. */
  title?: string | undefined;
  description?: string | undefined;
  /** The canonical path; pages without one are noindex. */
  path?: string | undefined;
  /** File id of the picture in link previews. */
  picture?: string | null | undefined;
  type?: "website" | "article" | "profile" | undefined;
  /** A feed of the page, besides the site's. */
  feed?: { path: string; title: string } | undefined;
  also?: ((site: RootData["site"]) => MetaDescriptor[]) | undefined;
};

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[];

/** Title, description, canonical address and link previews: `export const meta = ({ matches }) => pageMeta(matches, {…})`. */
export function pageMeta(matches: Matches, page: PageMeta = {}): MetaDescriptor[] {
  const root = matches.find((match) => match?.id === "root")?.loaderData as RootData | undefined;
  const site = root?.site ?? siteData({ ...defaultSettings, ...(page.siteName && { siteName: page.siteName }) }, "");
  const title = page.title ? `${page.title} · ${site.name}` : site.name;
  const description = page.description || site.description;
  const picture = page.picture ? site.url + pictureUrl(page.picture, 1200) : undefined;
  const tags: (MetaDescriptor | false | undefined)[] = [
    { title },
    { name: "description", content: description },
    { property: "og:site_name", content: site.name },
    { property: "og:title", content: page.title ?? site.name },
    { property: "og:description", content: description },
    { property: "og:type", content: page.type ?? "website" },
    { name: "twitter:card", content: picture ? "summary_large_image" : "summary" },
    picture !== undefined && { property: "og:image", content: picture },
    page.path === undefined
      ? { name: "robots", content: "noindex" }
      : { tagName: "link", rel: "canonical", href: site.url + (page.path === "/" ? "/" : page.path) },
    page.path !== undefined && { property: "og:url", content: site.url + page.path },
    page.feed && feedLink(page.feed.path, page.feed.title),
    feedLink("/feed.xml", site.name),
    ...(page.also?.(site) ?? []),
  ];
  return tags.filter((tag) => tag !== false && tag !== undefined);
}

function feedLink(href: string, title: string): MetaDescriptor {
  return { tagName: "link", rel: "alternate", type: "application/rss+xml", title, href };
}
