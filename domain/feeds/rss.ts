import { element, type Xml, xmlDocument } from "#platform/markup/xml.ts";
import { pictureUrl } from "../files/picture.ts";
import { excerpt } from "../format.ts";

export type FeedPost = {
  id: string;
  title: string;
  summary: string;
  /** Sanitized HTML; null if only the summary is sent. */
  content: string | null;
  userName: string;
  featuredImage: string | null;
  publishedAt: number | null;
  updatedAt: number;
};

export type FeedChannel = {
  title: string;
  description: string;
  link: string;
  self: string;
  siteUrl: string;
  posts: FeedPost[];
};

const namespaces = {
  "xmlns:atom": "http://www.w3.org/2005/Atom",
  "xmlns:content": "http://purl.org/rss/1.0/modules/content/",
  "xmlns:dc": "http://purl.org/dc/elements/1.1/",
  "xmlns:media": "http://search.yahoo.com/mrss/",
};

export function rss({ title, description, link, self, siteUrl, posts }: FeedChannel): string {
  const built = Math.max(0, ...posts.map(({ updatedAt }) => updatedAt));
  const channel = element(
    "channel",
    {},
    element("title", {}, title),
    element("link", {}, link),
    element("description", {}, description),
    element("language", {}, "en"),
    element("atom:link", { href: self, rel: "self", type: "application/rss+xml" }),
    ...(built > 0 ? [element("lastBuildDate", {}, rfc822(built))] : []),
    ...posts.map((post) => item(post, siteUrl)),
  );
  return xmlDocument(element("rss", { version: "2.0", ...namespaces }, channel));
}

function item(post: FeedPost, siteUrl: string): Xml {
  const url = `${siteUrl}/post/${encodeURIComponent(post.id)}`;
  const picture = post.featuredImage && siteUrl + pictureUrl(post.featuredImage, 1200);
  return element(
    "item",
    {},
    element("title", {}, post.title),
    element("link", {}, url),
    element("guid", { isPermaLink: "true" }, url),
    element("pubDate", {}, rfc822(post.publishedAt ?? post.updatedAt)),
    element("dc:creator", {}, post.userName),
    element("description", {}, excerpt(post.summary, 300)),
    ...(picture ? [element("media:content", { url: picture, medium: "image", type: "image/jpeg" })] : []),
    ...(post.content === null ? [] : [element("content:encoded", {}, absoluteUrls(post.content, { siteUrl, url }))]),
  );
}

function rfc822(time: number): string {
  return new Date(time).toUTCString();
}

const tag = /<[a-z][^\s/>]*(?:\s+[^\s=/>]+(?:="[^"]*")?)*\s*\/?>/gi;
const relativeUrl = /(\s(?:href|src|cite)=")(?![a-z][a-z0-9+.-]*:|\/\/)([^"]*)/gi;

function absoluteUrls(html: string, { siteUrl, url: page }: { siteUrl: string; url: string }): string {
  return html.replace(tag, (match) =>
    match.replace(relativeUrl, (_, before: string, to: string) => {
      if (to.startsWith("/")) return before + siteUrl + to;
      return before + (to.startsWith("#") || to.startsWith("?") || to === "" ? page : `${siteUrl}/post/`) + to;
    }),
  );
}
