import type { Root } from "hast";
import { common } from "lowlight";
import rehypeHighlight from "rehype-highlight";
import rehypeRaw from "rehype-raw";
import rehypeSanitize, { defaultSchema, type Options as Schema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { EXIT, visit } from "unist-util-visit";

/** Keeps ids inside a story from meeting ids of the page around it. */
const idPrefix = "md-";

const schema: Schema = {
  ...defaultSchema,
  clobberPrefix: idPrefix,
  // With what is in them: it was never meant to be read.
  strip: ["script", "style"],
  tagNames: [...(defaultSchema.tagNames ?? []), "u"],
  attributes: { ...defaultSchema.attributes, code: [["className", /^language-[\w+-]{1,30}$/]] },
};

const toHtml = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: "" })
  .use(rehypeRaw)
  .use(rehypeSanitize, schema)
  // Nothing below this line adds anything that a writer typed.
  .use(() => pointLinksAtPrefixedIds)
  .use(() => markLinksOut)
  .use(rehypeHighlight, { languages: common, detect: false })
  .use(rehypeStringify)
  .freeze();

export type Rendered = {
  html: string;
  /** The text without tags, blocks parted by a line break. */
  text: string;
};

/** Markdown, raw HTML allowed, into HTML that is safe to show. Slow on hostile text: call it through the worker. */
export async function renderMarkdown(markdown: string): Promise<Rendered> {
  const tree = (await toHtml.run(toHtml.parse(markdown))) as Root;
  return { html: toHtml.stringify(tree), text: textOf(tree) };
}

/** Sanitising prefixed the ids, not the addresses that lead to them. */
function pointLinksAtPrefixedIds(tree: Root): void {
  visit(tree, "element", ({ properties }) => {
    if (typeof properties.href === "string" && properties.href.startsWith("#")) properties.href = `#${idPrefix}${properties.href.slice(1)}`;
  });
}

/** A link in a story says nothing for the site, and the page it opens learns nothing about the reader. */
function markLinksOut(tree: Root): void {
  visit(tree, "element", ({ tagName, properties }) => {
    if (tagName === "a" && /^https?:/i.test(String(properties.href))) properties.rel = ["nofollow", "noopener", "ugc"];
    if (tagName === "img") properties.loading = "lazy";
  });
}

const blocks = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "blockquote", "pre", "tr", "br", "hr", "dt", "dd", "summary"]);

function textOf(tree: Root): string {
  let text = "";
  visit(tree, (node) => {
    if (node.type === "element" && blocks.has(node.tagName)) text += "\n";
    if (node.type === "element" && (node.tagName === "td" || node.tagName === "th")) text += " ";
    if (node.type === "text") text += node.value;
    return text.length > 2_000_000 ? EXIT : undefined;
  });
  return text.replace(/\n\s*/g, "\n").trim();
}
