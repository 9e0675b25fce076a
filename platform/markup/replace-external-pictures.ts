import type { Element, ElementContent, Root, RootContent } from "hast";
import rehypeParse from "rehype-parse";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { isFilePath } from "./own-pictures.ts";

/** `origin`: the site's origin. `pictures`: addresses of stored copies by their original address. `sized`: attributes of the site's own pictures. */
export type ReplacementPictures = { origin: string; pictures: Record<string, string>; sized?: Record<string, PictureAttributes> };

type PictureAttributes = { width: number; height: number; srcSet?: string; sizes?: string };

export type ReplacedPictures = {
  html: string;
  missing: string[];
};

const fragment = unified().use(rehypeParse, { fragment: true }).use(rehypeStringify).freeze();

const hasPictures = /<(?:img|source)\b/;

/**
 * Replaces pictures of other sites by their stored copies or by links, so that readers' browsers make no request to other sites, and addresses
 * of this site that are no pictures by their descriptions. `html` must be sanitized.
 */
export function replaceExternalPictures(html: string, { origin, pictures, sized = {} }: ReplacementPictures): ReplacedPictures {
  if (!hasPictures.test(html)) return { html, missing: [] };
  const tree = fragment.parse(html) as Root;
  const missing = new Set<string>();
  let changed = false;

  function place(node: RootContent, isInLink: boolean): RootContent | undefined {
    if (node.type !== "element") return node;
    if (node.tagName === "source") {
      changed = true;
      return undefined;
    }
    if (node.tagName === "img") return placeImage(node, isInLink);
    const within = isInLink || node.tagName === "a";
    node.children = node.children.flatMap((child) => (place(child, within) as ElementContent | undefined) ?? []);
    return node;
  }

  function placeImage(node: Element, isInLink: boolean): Element {
    const src = String(node.properties.src ?? "");
    const url = URL.parse(src, origin);
    const isOwn = url?.origin === origin;
    if (isOwn && isFilePath(url.pathname)) return withSize(node, src);
    changed = true;
    const storedUrl = url && Object.hasOwn(pictures, url.href) ? pictures[url.href] : undefined;
    if (storedUrl !== undefined) return withSize({ ...node, properties: { ...node.properties, src: storedUrl } }, storedUrl);
    const isWeb = !isOwn && (url?.protocol === "http:" || url?.protocol === "https:");
    if (url && isWeb) missing.add(url.href);
    const label = String(node.properties.alt ?? "").trim() || (isWeb ? `Picture on ${url?.host}` : "Picture");
    const children: ElementContent[] = [{ type: "text", value: label }];
    if (!url || !isWeb || isInLink) return { type: "element", tagName: "span", properties: {}, children };
    return { type: "element", tagName: "a", properties: { href: url.href, rel: ["nofollow", "noopener", "ugc"] }, children };
  }

  /** A size in the text has priority. */
  function withSize(node: Element, src: string): Element {
    const attributes = Object.hasOwn(sized, src) ? sized[src] : undefined;
    const { width, height } = node.properties;
    if (!attributes || width !== undefined || height !== undefined) return node;
    changed = true;
    return { ...node, properties: { ...node.properties, ...attributes } };
  }

  tree.children = tree.children.flatMap((child) => place(child, false) ?? []);
  return { html: changed ? fragment.stringify(tree) : html, missing: [...missing] };
}
