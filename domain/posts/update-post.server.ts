import { isUnreachable } from "#platform/database/errors.ts";
import type { PostRow } from "#platform/database/schema.ts";
import { addSearchWords, searchColumns } from "#platform/database/search/search-words.ts";
import { recordUnlessOwn } from "../audit/audit.server.ts";
import { recordDraftAccess } from "../audit/record-access.server.ts";
import { type Draft, type DraftBase, filesIn, type OtherVersion } from "../drafts/draft.ts";
import { saveVersion } from "../drafts/versions.server.ts";
import { changedMeanwhile, finishWorkingCopy } from "../drafts/working-copies.server.ts";
import { attachFile, discardFile, releaseFiles, type Upload } from "../files/files.server.ts";
import { isFeaturedPicture, linkFiles, releaseUnusedFiles, storeFeaturedPicture, usablePicture } from "../files/post-files.server.ts";
import { actionTexts } from "../moderation/moderation-action.ts";
import { type ActionReason, recordModerationAction } from "../moderation/moderation-actions.server.ts";
import { undoModerationAction } from "../moderation/undo.server.ts";
import { may, requirePermission } from "../permissions.ts";
import { isReadable } from "../readable-posts.server.ts";
import { NotAllowed, NotFound } from "../refusals.ts";
import { reportEditedPost } from "../reports/reports.server.ts";
import { applyRules, holdOrPublish } from "../rules/apply-rules.server.ts";
import { readAuthorName } from "../search/author-name.server.ts";
import { forgetSearchWords } from "../search/unused-words.server.ts";
import { type Member, type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { type Content, type Format, fetchMissingPictures, markdownOf, recordFetched, renderWithStored } from "./content.server.ts";
import type { PostStatus } from "./post.ts";
import { limitStatusChanges } from "./status-limit.server.ts";
import { isDeleted, recordHidden, recordPublished } from "./visibility.server.ts";

type PostChange = { title: string; content: string; status: PostStatus };

export type UpdateOptions = {
  version: number;
  picture?: Upload | undefined;
  pictureId?: string | null | undefined;
  draftBase?: DraftBase | undefined;
  format?: Format | undefined;
  /** Staff unpublish with a reason (docs/decisions/0014-moderation.md), for which the editor has no field. */
  keepsStatusOfOthers?: boolean;
};

/** `held`: it is not public until staff have reviewed it. */
export type SavedPost = { held: boolean };

type PreviousPost = Awaited<ReturnType<typeof findEditable>>;

/**
 * Saves a new text of a story. The old text is kept as a version; pictures that neither shows are removed. Idempotent, also while the first
 * request is running.
 * @throws Conflict ("changed-meanwhile") with the current text if the writer saw another version; Invalid; NotFound; TooMany.
 */
export async function updatePost(site: Site, viewer: Viewer, id: string, given: PostChange, change: UpdateOptions): Promise<SavedPost> {
  const before = await findEditable(site, viewer, id);
  requirePermission(viewer, "edit a story", before.userId);
  const input = change.keepsStatusOfOthers && viewer.id !== before.userId ? { ...given, status: before.status } : given;
  const typed = { text: input.content, by: viewer.id, format: change.format };
  const rendered = await renderWithStored(site, typed, id);
  const isRepeated =
    isRepeatedSave(before, viewer, { ...input, ...rendered.columns }, change.version) &&
    (await isSamePicture(site, viewer, before.featuredImage, change));
  if (before.version !== change.version && !isRepeated) throw changedMeanwhile(await readOtherVersion(site, viewer, before));
  if (input.status === "active" && !isRepeated) requireNotHeld(before);
  if (!isRepeated) await limitStatusChanges(site, viewer, before, input.status);
  const uploaded = change.picture && !isRepeated ? await storeFeaturedPicture(site, viewer, change.picture) : undefined;
  const { columns: text, fetched } = await fetchMissingPictures(site, viewer, typed, rendered, id);
  try {
    return await transaction(site, async (tx) => {
      const chosen = isRepeated ? null : (uploaded?.id ?? (await usablePicture(tx, viewer, change.pictureId ?? null, { postId: id })));
      const featuredImage = chosen ?? before.featuredImage;
      const draft: Draft = { ...input, slug: id, slugTyped: true, featuredImage };
      const { title, status } = input;
      const held = isRepeated
        ? await needsReview(tx, viewer, before)
        : await replace(tx, viewer, before, { ...text, title, status, featuredImage }, change.version);
      if (featuredImage && featuredImage !== before.featuredImage) await attachFile(tx, featuredImage);
      await linkFiles(tx, viewer, { postId: id }, filesIn(input.content));
      await recordFetched(tx, viewer, id, fetched);
      if (change.draftBase) await finishWorkingCopy(tx, viewer, change.draftBase, { postId: id, draft, isNew: false });
      if (!isRepeated) await releaseUnusedFiles(tx, id);
      if (!isRepeated && before.featuredImage && featuredImage !== before.featuredImage) await releaseFiles(tx, [before.featuredImage]);
      return { held };
    });
  } catch (error) {
    if (isUnreachable(error)) throw error;
    if (uploaded) await discardFile(site, uploaded.id);
    // By another writer, or by the same change, if it was sent again while the first request was running.
    if (error instanceof ConcurrentUpdate) return updatePost(site, viewer, id, input, change);
    throw error;
  }
}

class ConcurrentUpdate extends Error {}

function requireNotHeld({ heldBy }: Pick<PreviousPost, "heldBy">): void {
  if (heldBy !== null) throw new NotAllowed(actionTexts.held);
}

/**
 * Publishes or unpublishes a story without changing its text. Idempotent. If a moderator publishes a held story, the hold is undone first.
 * @throws NotFound, NotAllowed for a writer whose story is held, TooMany.
 */
export async function setPostStatus(
  site: Site,
  viewer: Viewer,
  id: string,
  status: PostStatus,
  why: ActionReason = {},
): Promise<SavedPost> {
  const { userId, ...before } = await findEditable(site, viewer, id);
  requirePermission(viewer, "publish or unpublish a story", userId);
  if (status === "active" && before.heldBy !== null) {
    if (!may(viewer, "moderate stories")) requireNotHeld(before);
    await undoModerationAction(site, viewer, before.heldBy);
    return setPostStatus(site, viewer, id, status, why);
  }
  await limitStatusChanges(site, viewer, { ...before, userId }, status);
  return transaction(site, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable("posts")
      .set((eb) => ({ status, version: eb("version", "+", 1) }))
      // Undoing an unpublication checks whether the author has changed the story since.
      .set(viewer.id === userId ? { updatedAt: tx.now() } : {})
      .where("id", "=", id)
      .where("status", "!=", status)
      .where("heldBy", "is", null)
      .executeTakeFirstOrThrow();
    if (!numUpdatedRows) return { held: before.heldBy !== null };
    if (status === "active") tx.changed("post.changed", { id });
    else await recordHidden(tx, id, before.status);
    return { held: await applyStatus(tx, viewer, { ...before, userId }, status, why) };
  });
}

type WithStatus = Pick<PreviousPost, "id" | "title" | "status" | "userId" | "heldBy">;

async function recordStatus(tx: SiteTransaction, viewer: Member, before: WithStatus, status: PostStatus, why: ActionReason): Promise<void> {
  const { id, title, userId: memberId, status: was } = before;
  const [kind, action] = status === "active" ? (["publish", "post.published"] as const) : (["unpublish", "post.unpublished"] as const);
  await recordModerationAction(tx, viewer, {
    ...why,
    ...{ kind, subject: `post:${id}`, title, memberId, before: { status: was } },
    log: { action, before: { status: was }, after: { status } },
  });
}

export type EditablePost = Draft & { id: string; version: number; userId: string; userName: string; profileImage: string | null };

/** A story for the editor. HTML from the API is converted to Markdown. @throws NotFound, NotAllowed for a reader. */
export async function readForEditing(site: Site, viewer: Viewer, id: string): Promise<EditablePost> {
  const { format, ...post } = await readAsStored(site, viewer, id);
  return format === "markdown"
    ? post
    : { ...post, content: await markdownOf(site.renderer, { text: post.content, by: viewer?.id ?? "visitor" }) };
}

export async function readAsStored(site: Site, viewer: Viewer, id: string): Promise<EditablePost & { format: Format }> {
  const { title, status, featuredImage, version, userId, userName, profileImage, ...post } = await findEditable(site, viewer, id);
  requirePermission(viewer, "edit a story", userId);
  await recordDraftAccess(site, viewer, { id, userId, status });
  const text: { content: string; format: Format } =
    post.markdown === null ? { content: post.content, format: "html" } : { content: post.markdown, format: "markdown" };
  return { id, title, slug: id, slugTyped: true, ...text, status, featuredImage, version, userId, userName, profileImage };
}

async function findEditable(site: Site, viewer: Viewer, id: string) {
  const post = await site.db
    .selectFrom("posts")
    .leftJoin("profiles", "profiles.userId", "posts.userId")
    .select(["posts.id", "posts.userId", "posts.title", "posts.content", "posts.markdown", "posts.status", "posts.featuredImage"])
    .select(["posts.version", "posts.updatedAt", "posts.updatedBy", "posts.heldBy", "profiles.profileImage"])
    .select((eb) => eb.fn.coalesce("profiles.userName", "posts.userName").as("userName"))
    .where("posts.id", "=", id)
    .executeTakeFirst();
  if (!post || !(await isReadable(site, viewer, post))) throw new NotFound();
  return post;
}

function isRepeatedSave(before: PreviousPost, viewer: Member, after: NewText, version: number): boolean {
  // A rule may have held it.
  const isSameStatus = before.status === after.status || before.heldBy !== null;
  const same = before.title === after.title && isSameText(before, after) && isSameStatus;
  return same && before.version === version + 1 && writerOf(before) === viewer.id;
}

/** Whether a change names or uploads the story's current picture, or none. An upload replaces what `pictureId` names. */
export async function isSamePicture(
  site: Site,
  viewer: Member,
  present: string | null,
  { picture, pictureId }: Pick<UpdateOptions, "picture" | "pictureId">,
): Promise<boolean> {
  if (picture) return present !== null && isFeaturedPicture(site, viewer, present, picture);
  return !pictureId || pictureId === present;
}

/** A story has no Markdown if it was sent as HTML. */
function isSameText(one: Text, other: Text): boolean {
  return one.markdown === other.markdown && (one.markdown !== null || one.content === other.content);
}

function writerOf({ updatedBy, userId }: PreviousPost): string {
  return updatedBy ?? userId;
}

type Text = Pick<PostRow, "markdown" | "content">;
type NewText = Content & Pick<PostRow, "title" | "status">;

/** @returns whether the story is held. */
async function replace(
  tx: SiteTransaction,
  viewer: Member,
  before: PreviousPost,
  text: NewText & Pick<PostRow, "featuredImage">,
  version: number,
): Promise<boolean> {
  await overwrite(tx, viewer, before, text, version);
  const { id, userId } = before;
  await recordUnlessOwn(tx, viewer, userId, {
    action: "post.edited",
    subject: `post:${id}`,
    before: { title: before.title, status: before.status, version },
    after: { title: text.title, status: text.status, version: version + 1 },
  });
  if (before.status === "active" && text.status !== "active") await recordHidden(tx, id, before.status);
  else tx.changed("post.changed", { id });
  // `before` was read outside the transaction, but it is the version that was just replaced.
  const markdown = before.markdown ?? before.content;
  if (!isSameText(before, text)) await saveVersion(tx, { owner: { postId: id }, userId: writerOf(before), title: before.title, markdown });
  const held = await applyStatus(tx, viewer, before, text.status);
  if (before.heldBy === null) return held;
  const isUnderReview = await needsReview(tx, viewer, before);
  if (isUnderReview) await reportEditedPost(tx, { id, userId, title: text.title });
  return isUnderReview;
}

/** False for a deleted story, and for changes by an administrator. */
async function needsReview(tx: SiteTransaction, viewer: Member, { heldBy, userId }: PreviousPost): Promise<boolean> {
  return heldBy !== null && viewer.id === userId && !(await isDeleted(tx, heldBy));
}

/** @throws ConcurrentUpdate if the story has another version. */
async function overwrite(
  tx: SiteTransaction,
  viewer: Member,
  before: PreviousPost,
  text: NewText & Pick<PostRow, "featuredImage">,
  version: number,
): Promise<void> {
  // The text's pictures may have taken seconds, in which the author may have changed their name.
  const userName = (await readAuthorName(tx, before.userId)) ?? before.userName;
  const search = searchColumns({ title: text.title, userName, plainText: text.plainText });
  const { numUpdatedRows } = await tx.db
    .updateTable("posts")
    .set({ ...text, ...search, updatedBy: viewer.id === before.userId ? null : viewer.id, updatedAt: tx.now() })
    .set((eb) => ({ version: eb("version", "+", 1) }))
    .where("id", "=", before.id)
    .where("version", "=", version)
    .executeTakeFirstOrThrow();
  if (!numUpdatedRows) throw new ConcurrentUpdate();
  await addSearchWords(tx.db, [search.searchTitle, search.searchAuthor]);
  await forgetSearchWords(tx, { before: before.title, after: text.title });
}

async function applyStatus(
  tx: SiteTransaction,
  viewer: Member,
  before: WithStatus,
  status: PostStatus,
  why: ActionReason = {},
): Promise<boolean> {
  const { id, userId, status: was, heldBy } = before;
  const isOwn = viewer.id === userId;
  if (!isOwn && was !== status) await recordStatus(tx, viewer, before, status, why);
  if (status !== "active") return heldBy !== null;
  if (isOwn && was !== "active") {
    // Owners may publish, but not with an unconfirmed address.
    requirePermission(viewer, "write a story");
    return holdOrPublish(tx, viewer, id);
  }
  if (isOwn) return (await applyRules(tx, viewer, id)) !== undefined;
  if (was !== "active") await recordPublished(tx, id);
  return false;
}

async function readOtherVersion(
  site: Site,
  viewer: Member,
  post: Pick<PreviousPost, "id" | "userId" | "status">,
): Promise<OtherVersion | null> {
  const { id } = post;
  await recordDraftAccess(site, viewer, post);
  const row = await site.db
    .selectFrom("posts")
    .leftJoin("profiles", (join) => join.on((eb) => eb("profiles.userId", "=", eb.fn.coalesce("posts.updatedBy", "posts.userId"))))
    .select(["posts.title", "posts.markdown", "posts.content", "posts.status", "posts.featuredImage", "posts.version"])
    .select("profiles.userName as by")
    .where("posts.id", "=", id)
    .executeTakeFirst();
  if (!row) return null;
  const { title, markdown, status, featuredImage, version, by } = row;
  const content = markdown ?? (await markdownOf(site.renderer, { text: row.content, by: viewer.id }));
  return { kind: "story", number: version, by, title, slug: id, slugTyped: true, content, status, featuredImage };
}
