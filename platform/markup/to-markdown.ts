import type { Element, ElementContent, Root } from "hast";
import type { Handle } from "hast-util-to-mdast";
import type { PhrasingContent } from "mdast";
import type { Handle as ToText } from "mdast-util-to-markdown";
import rehypeParse from "rehype-parse";
import rehypeRemark from "rehype-remark";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { SKIP, visit } from "unist-util-visit";
import { repairPastedHtml } from "./pasted-html.ts";
import { postSchema } from "./schema.ts";

const asHtml: Handle = (state, { tagName, ...node }) => ({
  type: "delete",
  data: { tag: tagName } as object,
  children: state.all({ ...node, tagName }) as PhrasingContent[],
});

const deletion: ToText = (node: { data?: { tag?: string }; children: PhrasingContent[] }, _parent, state, info) => {
  const tag = node.data?.tag;
  const [before, after] = tag ? [`<${tag}>`, `</${tag}>`] : ["~~", "~~"];
  return before + state.containerPhrasing({ type: "delete", children: node.children }, { ...info, before, after }) + after;
};

const footnoteId = (href: unknown) => /(?:^|[#-])fn-(.+)$/.exec(String(href ?? ""))?.[1];

const footnoteReference: Handle = (state, node, parent) => {
  const [link] = node.children;
  const id = link?.type === "element" && "dataFootnoteRef" in link.properties ? footnoteId(link.properties.href) : undefined;
  return id ? { type: "footnoteReference", identifier: id, label: id } : asHtml(state, node, parent);
};

const section: Handle = (state, node) => {
  if (!("dataFootnotes" in node.properties)) return state.toFlow(state.all(node));
  const items = node.children.find((child): child is Element => child.type === "element" && child.tagName === "ol");
  return (items?.children ?? []).flatMap((item) => {
    if (item.type !== "element") return [];
    const id = footnoteId(item.properties.id);
    return id ? [{ type: "footnoteDefinition", identifier: id, label: id, children: state.toFlow(state.all(item)) as never }] : [];
  });
};

const toMarkdown = unified()
  .use(rehypeParse, { fragment: true })
  .use(() => repairPastedHtml)
  .use(() => convertStyles)
  .use(rehypeSanitize, { ...postSchema, clobberPrefix: "" })
  .use(() => dropBackReferences)
  .use(rehypeRemark, { handlers: { u: asHtml, sub: asHtml, sup: footnoteReference, kbd: asHtml, section } })
  .use(remarkGfm)
  .use(remarkStringify, { bullet: "-", emphasis: "*", fences: true, listItemIndent: "one", rule: "-", handlers: { delete: deletion } })
  .freeze();

/** For pasted HTML and stories that were sent as HTML. Keeps what Markdown can express. Slow on hostile text, like rendering. */
export async function htmlToMarkdown(html: string): Promise<string> {
  return String(await toMarkdown.process(html)).trim();
}

/** Word processors use style attributes for bold and italic, and wrap everything in a `<b>` that isn't bold. */
function convertStyles(tree: Root): void {
  visit(tree, "element", (node) => {
    const style = String(node.properties.style ?? "").toLowerCase();
    if (!style) return;
    const weight = /font-weight:\s*(\w+)/.exec(style)?.[1] ?? "";
    if (node.tagName === "b" && /^(normal|400)$/.test(weight)) node.tagName = "span";
    if (node.tagName !== "span") return;
    const marks = [
      /^(bold|bolder|[6-9]00)$/.test(weight) && "strong",
      /font-style:\s*(italic|oblique)/.test(style) && "em",
      /text-decoration[^;]*underline/.test(style) && "u",
      /text-decoration[^;]*line-through/.test(style) && "del",
    ].filter((mark) => mark !== false);
    for (const tagName of marks) node.children = [{ type: "element", tagName, properties: {}, children: node.children }];
    return marks.length > 0 ? SKIP : undefined;
  });
}

function dropBackReferences(tree: Root): void {
  const isBackReference = (child: ElementContent) => child.type === "element" && "dataFootnoteBackref" in child.properties;
  visit(tree, "element", (node) => {
    if (node.children.some(isBackReference)) node.children = node.children.filter((child) => !isBackReference(child));
  });
}
