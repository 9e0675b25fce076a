import { filesIn } from "#domain/drafts/draft.ts";
import { sizedPictures } from "#domain/files/post-files.server.ts";
import type { PostRow } from "#platform/database/schema.ts";
import type { PlacedPicture } from "#platform/markup/place-pictures.ts";
import type { Renderer } from "#platform/markup/renderer.ts";
import { TooComplicated } from "#platform/markup/rendering-thread.ts";
import { BudgetExceeded } from "#platform/queues/budget.ts";
import { QueueFull } from "#platform/queues/fair-queue.ts";
import { Invalid, TooMany, Unavailable } from "../refusals.ts";
import type { Site } from "../site.ts";
import { countWords, postTexts } from "./post.ts";

/** Characters of plain text kept beside a story for cards and descriptions. */
const summaryLength = 400;

export type Format = "markdown" | "html";

export type ContentInput = { text: string; by: string; format?: Format | undefined; pictures?: Record<string, string> };

export type Content = Pick<PostRow, "markdown" | "content" | "plainText" | "summary" | "words">;

/**
 * What a text becomes; pictures from elsewhere that are `missing` are in it as links. @throws Invalid when it is nested beyond what can
 * be rendered; TooMany when the writer has had this hour's share of rendering, Unavailable when too many wait.
 */
export async function renderContent(site: Rendering, typed: ContentInput): Promise<{ columns: Content; missing: string[] }> {
  const { renderer } = site;
  const { text: source, by, format = "markdown", pictures = {} } = typed;
  return orRefusal(async () => {
    const { html, text } = await (format === "html" ? renderer.clean(source, by) : renderer.render(source, by));
    const placed = showsPictures.test(html) ? await placePicturesOf(site, html, pictures, by) : { html, missing: [] };
    const flat = text.replace(/\s+/g, " ");
    const markdown = format === "html" ? null : source;
    const columns = { markdown, content: placed.html, plainText: text, summary: flat.slice(0, summaryLength), words: countWords(text) };
    return { columns, missing: placed.missing };
  });
}

type Rendering = Pick<Site, "renderer" | "url" | "db">;

const showsPictures = /<(?:img|source)\b/;

/** `html` is safe already. Own pictures get their size, so that the text around them stands still while they load. */
export async function placePicturesOf(site: Rendering, html: string, pictures: Record<string, string>, by: string): Promise<PlacedPicture> {
  const sized = await sizedPictures(site, by, filesIn([html, ...Object.values(pictures)].join("\n")));
  return site.renderer.placePictures(html, { own: site.url, pictures, sized }, by);
}

export function markdownOf(renderer: Renderer, { text, by }: ContentInput): Promise<string> {
  return orRefusal(() => renderer.toMarkdown(text, by));
}

const busyRetrySeconds = 10;

async function orRefusal<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooComplicated) throw new Invalid(postTexts.contentTooComplicated, "content");
    if (error instanceof BudgetExceeded) throw new TooMany(postTexts.renderedTooMuch(error.retryAfterSeconds), error.retryAfterSeconds);
    if (error instanceof QueueFull) throw new Unavailable(postTexts.renderingBusy, "content", busyRetrySeconds);
    throw error;
  }
}
