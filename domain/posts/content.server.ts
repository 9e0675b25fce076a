import type { PostRow } from "#platform/database/schema.ts";
import { FetchError } from "#platform/fetch/fetcher.ts";
import { type Renderer, TooComplicated } from "#platform/markup/renderer.ts";
import type { ReplacedPictures } from "#platform/markup/replace-external-pictures.ts";
import { BudgetExceeded } from "#platform/queues/budget.ts";
import { FairQueue, QueueFull } from "#platform/queues/fair-queue.ts";
import { filesIn } from "../drafts/draft.ts";
import { fileUrl, pictureMaxBytes, pictureTypes } from "../files/picture.ts";
import { linkFiles, sizedPictures, storePostPicture } from "../files/post-files.server.ts";
import { Invalid, isRefusal, TooMany, Unavailable } from "../refusals.ts";
import { type Member, memberWithoutSession, type Site, type SiteTransaction, transaction } from "../site.ts";
import { countWords, postTexts } from "./post.ts";

/** Characters, for cards and descriptions. */
const summaryLength = 400;

export type Format = "markdown" | "html";

export type ContentInput = { text: string; by: string; format?: Format | undefined; pictures?: Record<string, string> };

export type Content = Pick<PostRow, "markdown" | "content" | "plainText" | "summary" | "words">;

export type RenderedContent = { columns: Content; missing: string[] };

/**
 * Renders a text. Pictures of other sites that are not kept here are `missing` and become links. @throws Invalid if it is nested too
 * deeply; TooMany beyond the writer's hourly share of rendering, Unavailable if the queue is full.
 */
export async function renderContent(site: Rendering, typed: ContentInput): Promise<RenderedContent> {
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

/** `html` must be sanitized. Own pictures get their size, so that the text doesn't move while they load. */
async function placePicturesOf(site: Rendering, html: string, pictures: Record<string, string>, by: string): Promise<ReplacedPictures> {
  const sized = await sizedPictures(site, by, filesIn([html, ...Object.values(pictures)].join("\n")));
  return site.renderer.replaceExternalPictures(html, { origin: site.url, pictures, sized }, by);
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

type StoredPicture = { address: string; fileId: string; shownAs: string };

export type RenderedPost = { columns: Content; fetched: StoredPicture[] };

const maxPicturesPerPost = 50;
const fetchingMs = 10_000;
const maxTriesPerMemberAndHour = 300;
const maxUrlLength = 2_000;

/** Per member: a story's pictures are fetched in parallel, and other members get their turn. */
const maxConcurrentFetches = 4;
const queue = new FairQueue({ slots: 8, maxWaiting: 400, maxWaitingPerKey: maxPicturesPerPost });

export async function renderWithStored(site: Site, typed: ContentInput, postId: string): Promise<RenderedContent> {
  const rendered = await renderContent(site, typed);
  if (rendered.missing.length === 0) return rendered;
  const rows = await site.db.selectFrom("fetched_pictures").select(["address", "shownAs"]).where("postId", "=", postId).execute();
  if (rows.length === 0) return rendered;
  return renderContent(site, { ...typed, pictures: displayUrls(rows) });
}

/**
 * Fetches a story's pictures of other sites and stores them as the member's own, so that readers' browsers make no request to other sites.
 * Pictures that can't be fetched in time, are invalid, or exceed the member's storage stay links. @throws as `renderContent`.
 */
export async function fetchMissingPictures(
  site: Site,
  viewer: Member,
  typed: ContentInput,
  { columns, missing }: RenderedContent,
  postId: string,
): Promise<RenderedPost> {
  if (missing.length === 0) return { columns, fetched: [] };
  const fetched = await fetchPictures(site, viewer, missing);
  if (fetched.length === 0) return { columns, fetched };
  const before = await site.db.selectFrom("fetched_pictures").select(["address", "shownAs"]).where("postId", "=", postId).execute();
  return { columns: (await renderContent(site, { ...typed, pictures: displayUrls([...before, ...fetched]) })).columns, fetched };
}

function displayUrls(kept: Pick<StoredPicture, "address" | "shownAs">[]): Record<string, string> {
  return Object.fromEntries(kept.map(({ address, shownAs }) => [address, shownAs]));
}

async function fetchPictures(site: Site, viewer: Member, addresses: string[], mayFetch = countTry): Promise<StoredPicture[]> {
  const signal = AbortSignal.timeout(fetchingMs);
  const tries = addresses
    .slice(0, maxPicturesPerPost)
    .map((address, index) => fetchOne(site, viewer, { address, index, signal, mayFetch }));
  return (await Promise.all(tries)).filter((each) => each !== undefined);
}

/** @throws BudgetExceeded */
function countTry(site: Site, viewer: Member): void {
  site.memory.pictureFetchBudget.assertBelow(viewer.id, maxTriesPerMemberAndHour);
  site.memory.pictureFetchBudget.spend(viewer.id, 1);
}

type FetchAttempt = { address: string; index: number; signal: AbortSignal; mayFetch: typeof countTry };

async function fetchOne(
  site: Site,
  viewer: Member,
  { address, index, signal, mayFetch }: FetchAttempt,
): Promise<StoredPicture | undefined> {
  if (address.length > maxUrlLength) return undefined;
  const late = new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined), { once: true }));
  const work = queue
    .run(`${viewer.id} ${index % maxConcurrentFetches}`, () => fetchAndStore(site, viewer, { address, signal, mayFetch }), signal)
    .catch((error: unknown) => {
      const isExpected =
        [FetchError, QueueFull, BudgetExceeded].some((known) => error instanceof known) || isRefusal(error) || signal.aborted;
      if (!isExpected) site.log.error({ err: error }, "an external picture in a story was not saved");
      return undefined;
    });
  return Promise.race([work, late]);
}

async function fetchAndStore(
  site: Site,
  viewer: Member,
  { address, signal, mayFetch }: Omit<FetchAttempt, "index">,
): Promise<StoredPicture> {
  mayFetch(site, viewer);
  const bytes = await site.fetcher(address, { maxBytes: pictureMaxBytes, accept: pictureTypes.join(", "), signal });
  signal.throwIfAborted();
  const name = nameOf(address);
  // A picture that arrives too late is not attached, so it is swept.
  const { id, url: shownAs } = await storePostPicture(site, viewer, { name, bytes });
  return { address, fileId: id, shownAs: shownAs || fileUrl(id) };
}

function nameOf(address: string): string {
  const last = new URL(address).pathname.split("/").at(-1) ?? "";
  return last.replaceAll(/[^\w.-]+/g, "-").slice(-100) || "picture";
}

export async function recordFetched(tx: SiteTransaction, viewer: Member, postId: string, fetched: StoredPicture[]): Promise<void> {
  if (fetched.length === 0) return;
  await tx.db
    .insertInto("fetched_pictures")
    .values(fetched.map((each) => ({ ...each, postId })))
    .onConflict((conflict) => conflict.columns(["postId", "address"]).doNothing())
    .execute();
  const fileIds = fetched.map(({ fileId }) => fileId);
  await linkFiles(tx, viewer, { postId }, fileIds);
}

export async function fetchPicturesOfNextPost(site: Site): Promise<boolean> {
  const { db } = site;
  // A deletion invalidates cached pages, even of no row.
  const next = await db.selectFrom("picture_queue").select("postId").limit(1).executeTakeFirst();
  if (!next) return false;
  // Removed first: no other process takes it, and a story that causes an error is not tried again.
  const [taken] = await db.deleteFrom("picture_queue").where("postId", "=", next.postId).returning("postId").execute();
  if (!taken) return true;
  const post = await db
    .selectFrom("posts")
    .innerJoin("users", "users.id", "posts.userId")
    .select(["posts.id", "posts.content", "posts.version", "users.id as userId", "users.name", "users.email"])
    .where("posts.id", "=", taken.postId)
    .executeTakeFirst();
  if (!post) return true;
  const { id, content, version, userId, name, email } = post;
  const by = "site";
  const { missing } = await site.renderer.replaceExternalPictures(content, { origin: site.url, pictures: {} }, by);
  if (missing.length === 0) return true;
  const author = memberWithoutSession({ id: userId, name, email });
  const fetched = await fetchPictures(site, author, missing, () => {});
  const { html } = await placePicturesOf(site, content, displayUrls(fetched), userId);
  await transaction(site, async (tx) => {
    const same = tx.db.updateTable("posts").set({ content: html }).where("id", "=", id).where("version", "=", version);
    const { numUpdatedRows } = await same.where("content", "=", content).executeTakeFirstOrThrow();
    if (numUpdatedRows) await recordFetched(tx, author, id, fetched);
  });
  return true;
}
