import { type Renderer, TooComplicated } from "#platform/markup/renderer.ts";
import { Invalid } from "../refusals.ts";
import { countWords, postTexts } from "./post.ts";

/** Characters of plain text kept beside a story for cards and descriptions. */
const summaryLength = 400;

/** What a story's text was sent as: HTML comes through the API and stays that until somebody edits it here. */
export type Format = "markdown" | "html";

/**
 * The columns that are made from what the writer typed.
 * @throws Invalid when it is nested beyond what can be rendered.
 */
export async function renderContent(renderer: Renderer, typed: string, format: Format = "markdown") {
  const { html, text } = await orTooComplicated(() => (format === "html" ? renderer.clean(typed) : renderer.render(typed)));
  const flat = text.replace(/\s+/g, " ");
  const markdown = format === "html" ? null : typed;
  return { markdown, content: html, plainText: text, summary: flat.slice(0, summaryLength), words: countWords(text) };
}

/** The Markdown of a story that arrived as HTML. @throws Invalid as above. */
export function markdownOf(renderer: Renderer, html: string): Promise<string> {
  return orTooComplicated(() => renderer.toMarkdown(html));
}

async function orTooComplicated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooComplicated) throw new Invalid(postTexts.contentTooComplicated, "content");
    throw error;
  }
}
