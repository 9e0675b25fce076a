import { parentPort } from "node:worker_threads";
import type { Root } from "hast";
import { common } from "lowlight";
import rehypeHighlight from "rehype-highlight";
import rehypeParse from "rehype-parse";
import rehypeRaw from "rehype-raw";
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { EXIT, visit } from "unist-util-visit";
import { lowerPriority } from "../priority.ts";
import { type ReplacementPictures, replaceExternalPictures } from "./replace-external-pictures.ts";
import { idPrefix, postSchema } from "./schema.ts";
import { htmlToMarkdown } from "./to-markdown.ts";

const sanitizer = unified()
  .use(rehypeSanitize, postSchema)
  .use(() => pointLinksAtPrefixedIds)
  .use(() => markExternalLinks)
  .use(rehypeHighlight, { languages: common, detect: false })
  .use(rehypeStringify)
  .freeze();

const fromMarkdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: "" })
  .use(rehypeRaw)
  .freeze();

const fromHtml = unified()
  .use(rehypeParse, { fragment: true })
  .use(() => removeIdPrefixes)
  .freeze();

export type RenderedText = {
  html: string;
  text: string;
};

/** A hundred nested quotations or lists in one line. Collecting the garbage of parsing it costs the process twice as much again. */
const nestedTooDeeply = /^(?:[ \t]{0,3}(?:>|(?:[+*-]|\d{1,9}[.)])[ \t])){100}/m;

/** Sanitized HTML of Markdown, which may contain HTML. Slow on hostile text, so it runs in a thread. @throws for deep nesting. */
export async function renderMarkdown(markdown: string): Promise<RenderedText> {
  if (nestedTooDeeply.test(markdown)) throw new Error("it is nested too deeply");
  return finish((await fromMarkdown.run(fromMarkdown.parse(markdown))) as Root);
}

/** Sanitizes HTML. Idempotent. Slow on hostile text, so it runs in a thread. */
export async function sanitizeHtml(html: string): Promise<RenderedText> {
  return finish((await fromHtml.run(fromHtml.parse(html))) as Root);
}

async function finish(unsafe: Root): Promise<RenderedText> {
  const tree = (await sanitizer.run(unsafe)) as Root;
  return { html: sanitizer.stringify(tree), text: textOf(tree).replace(/\n\s*/g, "\n").trim() };
}

const idProperties = ["id", "name", "ariaDescribedBy", "ariaLabelledBy"];

/** HTML from this site already has the prefixes; sanitizing would add another. */
function removeIdPrefixes(tree: Root): void {
  const plain = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(plain)
      : typeof value === "string" && value.startsWith(idPrefix)
        ? value.slice(idPrefix.length)
        : value;
  visit(tree, "element", ({ properties }) => {
    for (const name of idProperties) if (properties[name] !== undefined) properties[name] = plain(properties[name]) as string;
    if (typeof properties.href === "string" && properties.href.startsWith(`#${idPrefix}`))
      properties.href = `#${properties.href.slice(idPrefix.length + 1)}`;
  });
}

function pointLinksAtPrefixedIds(tree: Root): void {
  visit(tree, "element", ({ properties }) => {
    if (typeof properties.href === "string" && properties.href.startsWith("#")) properties.href = `#${idPrefix}${properties.href.slice(1)}`;
  });
}

function markExternalLinks(tree: Root): void {
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
  return text;
}

export type Task =
  | { kind: "render" | "clean" | "to-markdown"; text: string }
  | { kind: "replace-external-pictures"; text: string; replacement: ReplacementPictures };
export type ThreadResponse = { result?: unknown; error?: string; cpuMs: number };

/** The tasks of a thread, which `renderer.ts` starts. */
const handlers = { render: renderMarkdown, clean: sanitizeHtml, "to-markdown": htmlToMarkdown };

async function runTask(task: Task): Promise<ThreadResponse> {
  const start = process.threadCpuUsage();
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1000;
  };
  try {
    const result =
      task.kind === "replace-external-pictures"
        ? replaceExternalPictures(task.text, task.replacement)
        : await handlers[task.kind](task.text);
    return { result, cpuMs: cpuMs() };
  } catch (error) {
    return { error: String(error), cpuMs: cpuMs() };
  }
}

if (parentPort) {
  // Below the main thread. Only Linux has priorities of threads; elsewhere this would slow the whole process.
  if (process.platform === "linux") lowerPriority(5);
  parentPort.on("message", async (task: Task) => parentPort?.postMessage(await runTask(task)));
  parentPort.postMessage("ready");
}
