import type { Element, ElementContent, Root, RootContent } from "hast";
import { visit } from "unist-util-visit";

/** Repairs lists and tables that word processors put on the clipboard. */
export function repairPastedHtml(tree: Root): void {
  convertWordLists(tree);
  visit(tree, "element", (node) => {
    if (node.tagName === "ul" || node.tagName === "ol") nestLists(node);
    if (node.tagName === "li") unwrapOnlyParagraph(node);
    if (node.tagName === "table") makeHeaderRow(node);
  });
}

type Parent = Root | Element;
type WordItem = { level: number; ordered: boolean; item: Element };

/** Word’s lists are paragraphs with their level in `mso-list` and the bullet or number as text. */
function convertWordLists(tree: Root): void {
  visit(tree, (node) => {
    if (node.type !== "root" && node.type !== "element") return;
    const parent = node as Parent;
    if (!parent.children.some((child) => wordListLevel(child) !== undefined)) return;
    const children: RootContent[] = [];
    let pending: WordItem[] = [];
    const flush = () => {
      if (pending.length > 0) children.push(...toLists(pending));
      pending = [];
    };
    for (const child of parent.children) {
      const level = wordListLevel(child);
      if (level !== undefined) pending.push(wordItem(child as Element, level));
      else if (pending.length === 0 || !isBlank(child)) {
        flush();
        children.push(child);
      }
    }
    flush();
    parent.children = children as ElementContent[];
  });
}

function isBlank(node: RootContent): boolean {
  return node.type === "comment" || (node.type === "text" && node.value.trim() === "");
}

function styleOf(node: RootContent): string {
  return node.type === "element" ? String(node.properties.style ?? "").toLowerCase() : "";
}

function wordListLevel(node: RootContent): number | undefined {
  if (node.type !== "element" || node.tagName !== "p") return undefined;
  const level = /mso-list:[^;]*\blevel(\d)/.exec(styleOf(node))?.[1];
  return level === undefined ? undefined : Number(level);
}

function wordItem(paragraph: Element, level: number): WordItem {
  let mark = "";
  const withoutMark = (children: ElementContent[]): ElementContent[] =>
    children.flatMap((child): ElementContent[] => {
      if (/mso-list:\s*ignore/.test(styleOf(child))) {
        mark ||= textOf(child).trim();
        return [];
      }
      if (child.type === "comment") return [];
      return child.type === "element" ? [{ ...child, children: withoutMark(child.children) }] : [child];
    });
  const children = withoutMark(paragraph.children);
  return { level, ordered: /^\(?[\da-z]{1,5}[.)]/i.test(mark), item: { type: "element", tagName: "li", properties: {}, children } };
}

function textOf(node: ElementContent): string {
  if (node.type === "text") return node.value;
  return node.type === "element" ? node.children.map(textOf).join("") : "";
}

function toLists(items: WordItem[]): Element[] {
  const lists: Element[] = [];
  const open: { level: number; list: Element }[] = [];
  for (const { level, ordered, item } of items) {
    while (open.length > 0 && (open.at(-1)?.level ?? 0) > level) open.pop();
    const tagName = ordered ? "ol" : "ul";
    if (open.at(-1)?.level === level && open.at(-1)?.list.tagName !== tagName) open.pop();
    if (open.at(-1)?.level !== level) {
      const list: Element = { type: "element", tagName, properties: {}, children: [] };
      const within = open.at(-1)?.list.children.at(-1);
      if (within?.type === "element") within.children.push(list);
      else lists.push(list);
      open.push({ level, list });
    }
    open.at(-1)?.list.children.push(item);
  }
  return lists;
}

/** Google Docs puts a nested list after its item instead of inside. */
function nestLists(list: Element): void {
  const children: ElementContent[] = [];
  for (const child of list.children) {
    const before = children.findLast((each) => each.type === "element");
    const isNested = child.type === "element" && (child.tagName === "ul" || child.tagName === "ol");
    if (isNested && before?.type === "element" && before.tagName === "li") before.children.push(child);
    else children.push(child);
  }
  list.children = children;
}

/** A single paragraph in an item would only add space between items. */
function unwrapOnlyParagraph(item: Element): void {
  const paragraphs = item.children.filter((child) => child.type === "element" && child.tagName === "p");
  const [only] = paragraphs;
  if (paragraphs.length !== 1 || only?.type !== "element" || only.properties.role !== "presentation") return;
  item.children = item.children.flatMap((child) => (child === only ? only.children : child));
}

/** Markdown tables need headings; without, an empty row would be added. */
function makeHeaderRow(table: Element): void {
  let hasHeadings = false;
  let first: Element | undefined;
  visit(table, "element", (node) => {
    if (node.tagName === "th") hasHeadings = true;
    if (node.tagName === "tr") first ??= node;
  });
  if (hasHeadings || !first) return;
  for (const cell of first.children) if (cell.type === "element" && cell.tagName === "td") cell.tagName = "th";
}
