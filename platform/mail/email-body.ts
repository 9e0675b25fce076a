import type { Root as HtmlRoot } from "hast";
import rehypeStringify from "rehype-stringify";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { element, type Xml } from "../markup/xml.ts";

const parser = unified().use(remarkParse).freeze();

type Root = ReturnType<typeof parser.parse>;
const toHtml = unified()
  .use(remarkRehype, { handlers: { html: (_state, { value }: { value: string }) => ({ type: "text", value }) } })
  .use(rehypeStringify)
  .freeze();

/**
 * Plain text as HTML: paragraphs, line breaks and lists, nothing else, as names and titles in it may be Markdown. Only addresses of the
 * site (`url`) become links, and those that are a whole paragraph, as in emails for other applications.
 */
export function emailHtml(text: string, url: string): string {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => paragraph.trim());
  return paragraphs
    .filter(Boolean)
    .map((paragraph) => paragraphHtml(paragraph, url))
    .join("\n");
}

function paragraphHtml(paragraph: string, url: string): string {
  if (/^https?:\/\/[^\s<>"]+$/.test(paragraph)) return element("p", {}, linkTo(paragraph)).xml;
  const lines = paragraph.split("\n");
  if (!lines.every((line) => line.startsWith("- "))) {
    const broken = lines.flatMap((line, index) => [...(index > 0 ? [element("br")] : []), ...withLinks(line, url)]);
    return element("p", {}, ...broken).xml;
  }
  return element("ul", {}, ...lines.map((line) => element("li", {}, ...withLinks(line.slice(2), url)))).xml;
}

/** An address ends before punctuation. `url` must be all of its host: a longer one that begins like it gets no link. */
function withLinks(text: string, url: string): (Xml | string)[] {
  const start = url.replaceAll(/[^\w/:-]/g, "\\$&");
  const own = new RegExp(`(${start}(?:[/?#][^\\s<>"“”]*?)?)(?=[.,:;!?)”’]{0,3}(?:\\s|$))`, "g");
  return text.split(own).map((part, index) => (index % 2 === 1 ? linkTo(part) : part));
}

/** The label has no token, which would fill lines on a phone. */
function linkTo(url: string): Xml {
  return element("a", { href: url }, url.replace(/\?.*/, ""));
}

export function markdownHtml(markdown: string): string {
  return htmlOf(parser.parse(markdown));
}

function htmlOf(tree: Root): string {
  return toHtml.stringify(toHtml.runSync(tree) as HtmlRoot);
}

/** Plain text, with each link's address below it. */
export function emailText(markdown: string): string {
  return `${parser.parse(markdown).children.map(textOf).join("\n\n")}\n`;
}

function textOf(node: Root["children"][number]): string {
  if (node.type === "break") return "\n";
  if (node.type === "thematicBreak") return "---";
  if (node.type === "list") return node.children.map((item) => `- ${textOf(item)}`).join("\n");
  if (node.type === "link") {
    const label = node.children.map(textOf).join("");
    return label === node.url ? label : `${label}\n${node.url}`;
  }
  if ("children" in node) return node.children.map(textOf).join("");
  return "value" in node ? node.value : "";
}

/** Escapes everything that Markdown could interpret. */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[!-/:-@[-`{-~]/g, "\\$&");
}

// Copied from app/theme/colors.css: mail programs don't support variables.
const styles = `
body { margin: 0; background: #faf7f0; color: #17212d; }
.email { max-width: 560px; margin: 0 auto; padding: 28px 20px; font: 17px/1.6 Georgia, "Times New Roman", serif; overflow-wrap: anywhere; }
.site { margin: 0 0 24px; padding: 0 0 14px; border-bottom: 2px solid #d63c10; font-size: 22px; font-weight: bold; }
h1, h2, h3 { line-height: 1.25; } h2 { margin: 32px 0 12px; font-size: 21px; }
a { color: #b8350f; } hr { border: 0; border-top: 1px solid #e5decf; margin: 32px 0 16px; }
@media (prefers-color-scheme: dark) {
  body { background: #161310; color: #f3ece0; } a { color: #ff8a66; } hr { border-color: #322c26; } .site { border-color: #ff7148; }
}`;

const inline = "max-width:560px;margin:0 auto;padding:28px 20px;font:17px/1.6 Georgia,'Times New Roman',serif;overflow-wrap:anywhere";

/** Repeats font and width inline for programs that drop style sheets. */
export function emailDocument(siteName: string, body: string): string {
  const name = markdownHtml(escapeMarkdown(siteName)).replaceAll(/<\/?p>/g, "");
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${name}</title><style>${styles}</style></head>
<body><div class="email" style="${inline}"><p class="site">${name}</p>
${body}
</div></body>
</html>
`;
}
