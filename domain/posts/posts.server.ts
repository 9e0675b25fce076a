import { z } from "zod";
import { hidePost, isDeleted, lockPost } from "#domain/posts/visibility.server.ts";
import { isDuplicate, isUnreachable } from "#platform/database/errors.ts";
import { addSearchWords, searchColumn, searchColumns } from "#platform/database/search/search-words.ts";
import { element } from "#platform/markup/xml.ts";
import { recordAudit } from "../audit/audit.server.ts";
import { readMemberCounters } from "../counters/counters.server.ts";
import { describeRemoved } from "../documents/live-documents.server.ts";
import { removeWorkingCopies } from "../drafts/discard.server.ts";
import { type Draft, type DraftBase, filesIn } from "../drafts/draft.ts";
import { finishWorkingCopy } from "../drafts/working-copies.server.ts";
import { attachFile, discardFile, releaseFiles, type Upload } from "../files/files.server.ts";
import { linkFiles, releaseUnusedFiles, storeFeaturedPicture, usablePicture } from "../files/post-files.server.ts";
import { actionTexts } from "../moderation/moderation-action.ts";
import { type ActionReason, endActionsOn } from "../moderation/moderation-actions.server.ts";
import { normalizeLineBreaks } from "../normalize-input.ts";
import { may, requirePermission } from "../permissions.ts";
import { isReadable } from "../readable-posts.server.ts";
import { Conflict, Invalid, NotFound, TooMany } from "../refusals.ts";
import { detachReports } from "../reports/reports.server.ts";
import { holdOrPublish } from "../rules/apply-rules.server.ts";
import { readAuthorName } from "../search/author-name.server.ts";
import { forgetSearchWords } from "../search/unused-words.server.ts";
import { type Member, type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import {
  type ContentInput,
  type Format,
  fetchMissingPictures,
  type RenderedContent,
  recordFetched,
  renderContent,
  renderWithStored,
} from "./content.server.ts";
import { contentMaxLength, postTexts, slugMaxLength, titleMaxLength } from "./post.ts";
import { alternativeSlugs, loadTransliterate, toSlug } from "./slug.ts";
import { isSamePicture, updatePost } from "./update-post.server.ts";

/** The form's fields (specification §5, Post form). */
export const PostInput = z.object({
  title: z
    .string({ error: postTexts.titleRequired })
    .trim()
    .transform((title) => title.replace(/\s+/g, " "))
    .pipe(z.string().min(1, postTexts.titleRequired).max(titleMaxLength, postTexts.titleTooLong)),
  slug: z
    .string({ error: postTexts.slugRequired })
    .trim()
    .max(slugMaxLength, postTexts.slugTooLong)
    .transform(async (slug) => toSlug(slug, await loadTransliterate()))
    .pipe(z.string().min(1, postTexts.slugRequired)),
  content: z.string().transform(normalizeLineBreaks).pipe(z.string().max(contentMaxLength, postTexts.contentTooLong)).default(""),
  status: z.enum(["active", "inactive"], { error: postTexts.statusRequired }),
});

export type PostInput = z.output<typeof PostInput>;

export const PostChange = PostInput.omit({ slug: true });

export type PostChange = z.output<typeof PostChange>;

export type SlugConflict = { kind: "slug-taken"; free: string | undefined };

function slugTaken(free: string | undefined): Conflict {
  const text = free ? `that address is taken. Use “${free}”?` : "that address is taken";
  return new Conflict(text, "slug", { kind: "slug-taken", free } satisfies SlugConflict);
}

export type PostOptions = { draftBase?: DraftBase | undefined; pictureId?: string | null | undefined; format?: Format | undefined };

/** Every story has a featured picture (specification §5, Post form). */
export function hasPicture({ picture, pictureId }: { picture?: Upload | undefined } & Pick<PostOptions, "pictureId">): boolean {
  return Boolean(pictureId) || (picture !== undefined && picture.bytes.byteLength > 0);
}

function imageRequired(): Invalid {
  return new Invalid(postTexts.imageRequired, "featuredImage");
}

export type CreatedPost = { id: string; held: boolean };

/**
 * Publishes a story, or saves it as a draft, with its pictures, in one transaction. Its working copy becomes the story. Sending the same
 * again returns the same, also while the first request is running; another picture replaces the first one.
 * @throws Invalid, Conflict ("slug-taken"), TooMany beyond the site's limit of stories, Conflict ("changed-meanwhile") if the working copy
 * has another text.
 */
export async function createPost(
  site: Site,
  viewer: Viewer,
  input: PostInput,
  picture: Upload | undefined,
  options: PostOptions = {},
): Promise<CreatedPost> {
  requirePermission(viewer, "write a story");
  if (!hasPicture({ picture, ...options })) throw imageRequired();
  const typed = { text: input.content, by: viewer.id, format: options.format };
  const rendered = await renderWithStored(site, typed, input.slug);
  try {
    return await insertPost(site, viewer, { input, picture, typed, rendered, ...options });
  } catch (error) {
    if (isUnreachable(error)) throw error;
    // A repeated request finds its own slug taken. Checked only now, as the first request may have been saving until just before.
    const saved = await findSavedPost(site, viewer.id, input, rendered.columns);
    if (saved) return answerRepeatedCreate(site, viewer, saved, input, { picture, ...options });
    if (isDuplicate(error)) await refuseTakenSlug(site, input.slug);
    throw error;
  }
}

type NewPost = PostOptions & { input: PostInput; picture: Upload | undefined; typed: ContentInput; rendered: RenderedContent };

async function insertPost(
  site: Site,
  viewer: Member,
  { input, picture, typed, rendered, draftBase, pictureId }: NewPost,
): Promise<CreatedPost> {
  await refuseBeyondLimit(site, viewer.id);
  await refuseTakenSlug(site, input.slug);
  const uploaded = picture ? await storeFeaturedPicture(site, viewer, picture) : undefined;
  const { columns: text, fetched } = await fetchMissingPictures(site, viewer, typed, rendered, input.slug);
  const now = site.now();
  const post = {
    id: input.slug,
    userId: viewer.id,
    title: input.title,
    status: input.status,
    ...text,
    ...searchColumns({ title: input.title, userName: viewer.name, plainText: text.plainText }),
    featured: false,
    pinned: false,
    views: 0,
    likesCount: 0,
    bookmarksCount: 0,
    createdAt: now,
    updatedAt: now,
  };
  try {
    return await transaction(site, async (tx) => {
      // Stories sent at the same time wait here and are all counted.
      const userName = (await readAuthorName(tx, viewer.id)) ?? viewer.name;
      const searchAuthor = searchColumn(userName);
      await refuseBeyondLimit(tx, viewer.id);
      const featuredImage = uploaded?.id ?? (await usablePicture(tx, viewer, pictureId ?? null, {}));
      if (!featuredImage) throw imageRequired();
      await attachFile(tx, featuredImage);
      await tx.db
        .insertInto("posts")
        .values({ ...post, userName, searchAuthor, featuredImage })
        .execute();
      await addSearchWords(tx.db, [post.searchTitle, searchAuthor]);
      await linkFiles(tx, viewer, { postId: post.id }, filesIn(input.content));
      await recordFetched(tx, viewer, post.id, fetched);
      if (draftBase) await turnCopyIntoPost(tx, viewer, draftBase, { ...input, slugTyped: true, featuredImage });
      tx.changed("post.created", { id: post.id });
      return { id: post.id, held: post.status === "active" && (await holdOrPublish(tx, viewer, post.id, now)) };
    });
  } catch (error) {
    // It may have been saved, if only the answer to COMMIT was lost. The sweep decides by the rows.
    if (uploaded && !isUnreachable(error)) await discardFile(site, uploaded.id);
    throw error;
  }
}

async function turnCopyIntoPost(tx: SiteTransaction, viewer: Member, draftBase: DraftBase, draft: Draft): Promise<void> {
  await finishWorkingCopy(tx, viewer, draftBase, { postId: draft.slug, draft, isNew: true });
  await releaseUnusedFiles(tx, draft.slug);
}

/**
 * Erases the viewer's own story with its reactions and pictures. Someone else's is hidden for 30 days, in which staff can restore
 * it. Idempotent. @throws NotFound.
 */
export async function deletePost(site: Site, viewer: Viewer, id: string, why: ActionReason = {}): Promise<void> {
  await transaction(site, async (tx) => {
    const post = await lockPost(tx, id);
    if (!(await isReadable(tx, viewer, post))) throw new NotFound();
    requirePermission(viewer, "delete a story", post.userId);
    if (viewer.id === post.userId) return erasePost(tx, viewer, post);
    if (await isDeleted(tx, post.heldBy)) return;
    await removeWorkingCopies(tx, viewer, { postId: id });
    await hidePost(tx, viewer, "delete", post, why);
  });
}

/** Erases a deleted story before its 30 days are over. @throws NotFound; Invalid for a story that isn't deleted. */
export async function eraseDeleted(site: Site, viewer: Viewer, id: string): Promise<void> {
  requirePermission(viewer, "erase a story");
  await transaction(site, async (tx) => {
    const post = await lockPost(tx, id);
    if (!(await isDeleted(tx, post.heldBy))) throw new Invalid(actionTexts.deleteFirst);
    const actionId = post.heldBy ?? undefined;
    await recordAudit(tx, viewer, { action: "post.erased", subject: `post:${id}`, before: { title: post.title }, actionId });
    await erasePost(tx, viewer, post);
  });
}

export async function erasePost(
  tx: SiteTransaction,
  viewer: Viewer,
  { id, title, featuredImage }: { id: string; title: string; featuredImage: string | null },
): Promise<void> {
  const shown = await tx.db.selectFrom("post_files").select("fileId").where("postId", "=", id).execute();
  // Other members' working copies stay, as new unfinished stories.
  if (viewer) await removeWorkingCopies(tx, viewer, { postId: id });
  const [removed] = await describeRemoved(tx, "posts", [id]);
  if (removed) tx.changed("post.removed", removed);
  await tx.db.deleteFrom("posts").where("id", "=", id).execute();
  await forgetSearchWords(tx, { before: title });
  await endActionsOn(tx, id);
  await detachReports(tx, id);
  const files = [...shown.map(({ fileId }) => fileId), ...(featuredImage ? [featuredImage] : [])];
  await releaseFiles(tx, files);
}

/** After the first request, whose answer was lost, the page may have saved its draft again or have another picture. */
async function answerRepeatedCreate(
  site: Site,
  viewer: Member,
  { id, held, version, featuredImage }: RepeatedPost,
  input: PostInput,
  change: PostOptions & { picture: Upload | undefined },
): Promise<CreatedPost> {
  if (!(await isSamePicture(site, viewer, featuredImage, change)))
    return { id, ...(await updatePost(site, viewer, id, input, { ...change, version })) };
  const { draftBase } = change;
  if (draftBase) await transaction(site, (tx) => turnCopyIntoPost(tx, viewer, draftBase, { ...input, slugTyped: true, featuredImage }));
  return { id, held };
}

type Text = { markdown: string | null; content: string };
type RepeatedPost = CreatedPost & { version: number; featuredImage: string | null };

/** Finds the same story, saved by an earlier request whose answer may have been lost. */
async function findSavedPost(
  site: Site,
  userId: string,
  { slug, title, status }: PostInput,
  { markdown, content }: Text,
): Promise<RepeatedPost | undefined> {
  const same = await site.db
    .selectFrom("posts")
    .select(["heldBy", "version", "featuredImage"])
    .where("id", "=", slug)
    .where("userId", "=", userId)
    .where("title", "=", title)
    // A rule may have held it.
    .where((eb) => eb.or([eb("status", "=", status), eb("heldBy", "is not", null)]))
    .where((eb) => (markdown === null ? eb.and([eb("markdown", "is", null), eb("content", "=", content)]) : eb("markdown", "=", markdown)))
    .executeTakeFirst();
  return same && { id: slug, held: same.heldBy !== null, version: same.version, featuredImage: same.featuredImage };
}

/** `fromElsewhere`: pictures of other sites. They are links in the preview and are fetched when the story is saved. */
export type Preview = { html: string; fromElsewhere: number };

/** @throws Invalid if the text is too long or too complicated, TooMany, Unavailable. */
export async function previewContent(site: Site, viewer: Viewer, markdown: string): Promise<Preview> {
  requirePermission(viewer, "preview a story");
  if (markdown.length > contentMaxLength) throw new Invalid(postTexts.contentTooLong, "content");
  const { columns, missing } = await renderContent(site, { text: markdown, by: viewer.id });
  return { html: columns.content, fromElsewhere: missing.length };
}

/** The HTML of an earlier version; for suspended viewers, its Markdown. @throws as `previewContent`. */
export async function renderVersion(site: Site, viewer: Viewer, markdown: string): Promise<string> {
  if (viewer && !may(viewer, "preview a story")) return element("pre", {}, markdown).xml;
  return (await previewContent(site, viewer, markdown)).html;
}

async function refuseBeyondLimit(site: Pick<Site, "db" | "engine" | "settings">, userId: string): Promise<void> {
  const { maxPostsPerUser } = site.settings;
  const { posts } = await readMemberCounters(site, userId);
  if (posts >= maxPostsPerUser) throw new TooMany(`You have reached the limit of ${maxPostsPerUser} posts`);
}

/** @throws Conflict ("slug-taken"). */
export async function refuseTakenSlug(site: Site, slug: string): Promise<void> {
  const candidates = [slug, ...alternativeSlugs(slug)];
  const rows = await site.db.selectFrom("posts").select("id").where("id", "in", candidates).execute();
  const taken = new Set(rows.map((row) => row.id));
  if (!taken.has(slug)) return;
  throw slugTaken(candidates.find((candidate) => !taken.has(candidate)));
}
