import { isDuplicate, isUnreachable } from "#platform/database/errors.ts";
import { rememberWords, searchColumns } from "#platform/database/search.ts";
import { type Renderer, TooComplicated } from "#platform/markup/renderer.ts";
import { attachFile, detachFile, discardFile, storeFeaturedPicture, type Upload } from "../files/files.server.ts";
import { may, mustBeAllowed } from "../permissions.ts";
import { Conflict, Invalid, NotFound, SignInFirst, TooMany } from "../refusals.ts";
import { type Site, transaction, type Viewer } from "../site.ts";
import { contentMax, countWords, postTexts } from "./post.ts";
import type { PostInput } from "./post-input.ts";
import { alternativeSlugs } from "./slug.ts";

/** Characters of plain text kept beside a story for cards and descriptions. */
const summaryLength = 400;

/** A slug that another story has; `free` is one to offer instead. */
export class SlugTaken extends Conflict {
  readonly free: string | undefined;

  constructor(slug: string, free: string | undefined) {
    super(free ? `the slug “${slug}” is taken, “${free}” is free` : `the slug “${slug}” is taken`, "slug");
    this.free = free;
  }
}

/**
 * Publishes a story, or saves it as a draft, with its picture: all of it or nothing, also when the process is killed on
 * the way.
 * @returns the story's id, which is its slug.
 * @throws Invalid, SlugTaken, TooMany beyond the site's limit of stories, or what the permissions refuse.
 */
export async function createPost(site: Site, viewer: Viewer, input: PostInput, picture: Upload | undefined): Promise<string> {
  mustBeAllowed(viewer, "write a story");
  if (!picture || picture.bytes.byteLength === 0) throw new Invalid(postTexts.imageRequired, "featuredImage");
  if (await isSentAgain(site, viewer.id, input)) return input.slug;
  await refuseBeyondLimit(site, viewer.id);
  await refuseTakenSlug(site, input.slug);
  const text = await renderContent(site.renderer, input.content);
  const file = await storeFeaturedPicture(site, viewer, picture);
  const now = site.now();
  const post = {
    id: input.slug,
    userId: viewer.id,
    userName: viewer.name,
    title: input.title,
    status: input.status,
    ...text,
    ...searchColumns({ title: input.title, userName: viewer.name, plainText: text.plainText }),
    featuredImage: file.id,
    featured: false,
    pinned: false,
    views: 0,
    likesCount: 0,
    bookmarksCount: 0,
    createdAt: now,
    updatedAt: now,
  };
  try {
    await transaction(site, async (tx) => {
      await attachFile(tx, file.id);
      await tx.db.insertInto("posts").values(post).execute();
      await rememberWords(tx.db, [post.searchTitle, post.searchAuthor]);
      if (post.status === "active") tx.publish({ topic: "posts", type: "post.created", data: { id: post.id } });
    });
  } catch (error) {
    // Saved or not: its answer may have been lost after the COMMIT. The sweep will know.
    if (isUnreachable(error)) throw error;
    await discardFile(site, file.id);
    if (isDuplicate(error)) await refuseTakenSlug(site, input.slug);
    throw error;
  }
  return post.id;
}

/**
 * Removes a story, what people did with it, and its picture. A picture that can't be removed now goes with a later sweep.
 * @throws NotFound, or what the permissions refuse.
 */
export async function deletePost(site: Site, viewer: Viewer, id: string): Promise<void> {
  const picture = await transaction(site, async (tx) => {
    const post = await tx.db.selectFrom("posts").select(["userId", "featuredImage", "status"]).where("id", "=", id).executeTakeFirst();
    if (!post || !may(viewer, post.status === "active" ? "read a published story" : "read a draft", post.userId)) throw new NotFound();
    mustBeAllowed(viewer, "delete a story", post.userId);
    await tx.db.deleteFrom("posts").where("id", "=", id).execute();
    if (post.featuredImage) await detachFile(tx, post.featuredImage);
    // Not announced on the story's topic: the author's own page would load anew and lose the way home with its toast.
    return post.featuredImage;
  });
  if (picture)
    await discardFile(site, picture).catch((err) => site.log.warn({ err, fileId: picture }, "a picture stays until the next sweep"));
}

/** The answer to an earlier try was lost on the way: the same person's same story under the same slug is that story. */
async function isSentAgain(site: Site, userId: string, { slug, title, content }: PostInput): Promise<boolean> {
  const same = await site.db
    .selectFrom("posts")
    .select("id")
    .where("id", "=", slug)
    .where("userId", "=", userId)
    .where("title", "=", title)
    .where("markdown", "=", content)
    .executeTakeFirst();
  return same !== undefined;
}

/**
 * The HTML that a text would be published as.
 * @throws Invalid when it is too long or too complicated.
 */
export async function previewContent(site: Site, viewer: Viewer, markdown: string): Promise<string> {
  if (!viewer) throw new SignInFirst();
  if (markdown.length > contentMax) throw new Invalid(postTexts.contentTooLong, "content");
  return (await renderContent(site.renderer, markdown)).content;
}

async function refuseBeyondLimit(site: Site, userId: string): Promise<void> {
  const { maxPostsPerUser } = site.settings;
  const { count } = await site.db
    .selectFrom("posts")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("userId", "=", userId)
    .executeTakeFirstOrThrow();
  if (count >= maxPostsPerUser) throw new TooMany(`You have reached the limit of ${maxPostsPerUser} posts`);
}

async function refuseTakenSlug(site: Site, slug: string): Promise<void> {
  const candidates = [slug, ...alternativeSlugs(slug)];
  const rows = await site.db.selectFrom("posts").select("id").where("id", "in", candidates).execute();
  const taken = new Set(rows.map((row) => row.id));
  if (!taken.has(slug)) return;
  throw new SlugTaken(
    slug,
    candidates.find((candidate) => !taken.has(candidate)),
  );
}

/** The columns that are made from what the writer typed. */
async function renderContent(renderer: Renderer, markdown: string) {
  try {
    const { html, text } = await renderer.render(markdown);
    const flat = text.replace(/\s+/g, " ");
    return { markdown, content: html, plainText: text, summary: flat.slice(0, summaryLength), words: countWords(text) };
  } catch (error) {
    if (error instanceof TooComplicated) throw new Invalid(postTexts.contentTooComplicated, "content");
    throw error;
  }
}
