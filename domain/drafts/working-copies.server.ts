import { z } from "zod";
import { mayReadPost } from "#domain/may-read-post.ts";
import { countRows } from "#platform/database/count-rows.ts";
import { forUpdate } from "#platform/database/locks.ts";
import type { WorkingCopyRow } from "#platform/database/schema.ts";
import { days } from "#platform/time.ts";
import { releaseFiles, requireStorage } from "../files/files.server.ts";
import { linkFiles, usablePicture } from "../files/post-files.server.ts";
import { normalizeLineBreaks } from "../normalize-input.ts";
import { requirePermission, requireSameMember } from "../permissions.ts";
import { Conflict, Invalid, NotFound, TooMany } from "../refusals.ts";
import { type Member, type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import {
  type Draft,
  type DraftBase,
  type DraftSave,
  draftMaxLength,
  draftsPerPerson,
  draftTexts,
  filesIn,
  isOwnCopyId,
  isSameDraft,
  type OtherVersion,
  versionIntervalMs,
  type WorkingCopy,
} from "./draft.ts";
import { saveVersion } from "./versions.server.ts";

/** Fields may be missing or too long for a story: nothing may be lost. */
const DraftInput = z.object({
  title: z.string().max(10_000).catch(""),
  slug: z.string().max(1_000).catch(""),
  slugTyped: z.boolean().catch(false),
  content: z.string().transform(normalizeLineBreaks).pipe(z.string().max(draftMaxLength, draftTexts.tooLong)),
  status: z.enum(["active", "inactive"]).catch("active"),
  featuredImage: z.string().max(60).nullable().catch(null),
});

export const DraftSaveInput = z.object({
  id: z.string().max(140),
  userId: z.string(),
  postId: z.string().max(60).nullable(),
  postVersion: z.number().int().nullable(),
  base: z.number().int().nullable(),
  writer: z.string().min(8).max(60),
  count: z.number().int().nonnegative(),
  draft: DraftInput,
});

const finishedRetentionMs = days(90);

/** The text was changed since the writer saw it; `theirs` is null if it is gone. */
export type DraftConflict = { kind: "changed-meanwhile"; theirs: OtherVersion | null };

export function changedMeanwhile(theirs: OtherVersion | null): Conflict {
  const details: DraftConflict = { kind: "changed-meanwhile", theirs };
  return new Conflict(theirs ? draftTexts.changed : draftTexts.gone, undefined, details);
}

/** `featuredImage`: the copy's, another than the save's if that is gone. */
export type SavedRevision = { revision: number; featuredImage: string | null };

/**
 * Saves a working copy. Idempotent.
 * @throws Conflict ("changed-meanwhile") with the current text if the page's text is based on another, Conflict ("finished") if a story
 * has this text of the page already; NotAllowed if the page belongs to another member; Invalid, TooMany, NotFound for a story that the viewer
 * can't read.
 */
export async function saveWorkingCopy(site: Site, viewer: Viewer, save: DraftSave): Promise<SavedRevision> {
  requirePermission(viewer, "save unfinished work");
  requireSameMember(viewer, save.userId);
  // The id of another member's copy would block their saves.
  if (!isOwnCopyId(viewer.id, save.id)) throw new NotFound();
  if (save.draft.content.length > draftMaxLength) throw new Invalid(draftTexts.tooLong, "content");
  const saved = await transaction(site, async (tx) => {
    const postId = save.draft.featuredImage ? await findPostOf(tx, viewer, save) : null;
    const usable = await usablePicture(tx, viewer, save.draft.featuredImage, { id: save.id, postId });
    const { revision, featuredImage, replaced, grows } = await write(tx, viewer, save, usable);
    // A full storage must not stop a text from being shortened.
    if (grows) await requireStorage(tx, viewer.id, "content");
    const shown = [...filesIn(save.draft.content), ...(featuredImage ? [featuredImage] : [])];
    await linkFiles(tx, viewer, { copyId: save.id }, shown);
    if (replaced && !shown.includes(replaced)) await releaseFiles(tx, [replaced], { from: { copyId: save.id } });
    return { revision, featuredImage };
  });
  return saved;
}

/** The story whose picture the copy may have. The save's `postId` counts only for a new copy, and only if the viewer may edit that story. */
async function findPostOf(tx: SiteTransaction, viewer: Member, { id, base, postId }: DraftSave): Promise<string | null> {
  const copy = await tx.db.selectFrom("working_copies").select("postId").where("id", "=", id).executeTakeFirst();
  if (copy) return copy.postId;
  return base === null ? findEditable(tx, viewer, postId) : null;
}

type DraftWrite = SavedRevision & { replaced: string | null; grows: boolean };

/** Optimistic: the writing statement compares what was read, and a change in between leads to another attempt. */
async function write(tx: SiteTransaction, viewer: Member, save: DraftSave, usable: string | null): Promise<DraftWrite> {
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await isFinished(tx, viewer, save)) throw new Conflict(draftTexts.gone, undefined, { kind: "finished" });
    const before = await read(tx, save.id);
    // A picture that another page replaced is removed: without the copy's own, both would be gone.
    const featuredImage = usable ?? ((save.draft.featuredImage && before?.featuredImage) || null);
    const accepted = { ...save, draft: { ...save.draft, featuredImage } };
    const written = before ? await overwrite(tx, viewer, before, accepted) : await insertCopy(tx, viewer, accepted);
    if (written) return written;
  }
  throw changedMeanwhile(otherVersionOf(await read(tx, save.id)));
}

async function insertCopy(tx: SiteTransaction, viewer: Member, { id, base, writer, count, postId, postVersion, draft }: DraftSave) {
  if (base !== null) throw changedMeanwhile(null);
  const post = await findEditable(tx, viewer, postId);
  await refuseBeyondLimit(tx, viewer);
  const now = tx.now();
  const { content, ...fields } = draft;
  const row = {
    id,
    userId: viewer.id,
    postId: post,
    postVersion: post === null ? null : postVersion,
    ...fields,
    markdown: content,
    revision: now,
    writer,
    writerCount: count,
  };
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto("working_copies")
    .values({ ...row, keptAt: now, createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows ? { revision: now, featuredImage: draft.featuredImage, replaced: null, grows: true } : undefined;
}

async function overwrite(tx: SiteTransaction, viewer: Member, before: WorkingCopyRow, save: DraftSave): Promise<DraftWrite | undefined> {
  if (before.userId !== viewer.id) throw new NotFound();
  const { writer, count, draft, postVersion } = save;
  const same = isSameDraft(draftOf(before), draft);
  if (!same && !isBasis(before, save)) throw changedMeanwhile(otherVersionOf(before));
  const now = tx.now();
  const savesVersion = !same && isWorthSaving(before, save, now);
  const { content, ...fields } = draft;
  const { numUpdatedRows } = await tx.db
    .updateTable("working_copies")
    .set({ ...fields, markdown: content, postVersion, writer, writerCount: count, revision: before.revision + 1, updatedAt: now })
    .set(savesVersion ? { keptAt: now } : {})
    .where("id", "=", before.id)
    .where("revision", "=", before.revision)
    .executeTakeFirstOrThrow();
  if (!numUpdatedRows) return undefined;
  if (savesVersion)
    await saveVersion(tx, { owner: { copyId: before.id }, userId: viewer.id, title: before.title, markdown: before.markdown });
  return {
    revision: before.revision + 1,
    featuredImage: draft.featuredImage,
    replaced: before.featuredImage,
    grows: Buffer.byteLength(content) > Buffer.byteLength(before.markdown),
  };
}

/** Whether the page has seen the copy, or wrote it and the answer was lost. */
function isBasis(before: WorkingCopyRow, { base, writer, count }: DraftBase): boolean {
  return before.revision === base || (before.writer === writer && before.writerCount <= count);
}

/** Every few minutes, when much is deleted at once, and when one page's text replaces another's. */
function isWorthSaving(before: WorkingCopyRow, { writer, draft: { content } }: DraftSave, now: number): boolean {
  if (before.markdown.trim() === "" || before.markdown === content) return false;
  return before.writer !== writer || now - before.keptAt >= versionIntervalMs || content.length < before.markdown.length * 0.8;
}

/** The story's id; null if it is gone: what was typed since becomes a new story. @throws NotFound, NotAllowed. */
async function findEditable(tx: SiteTransaction, viewer: Member, postId: string | null): Promise<string | null> {
  if (postId === null) return null;
  const post = await tx.db.selectFrom("posts").select(["userId", "status", "heldBy"]).where("id", "=", postId).executeTakeFirst();
  if (!post) return null;
  if (!mayReadPost(viewer, post)) throw new NotFound();
  requirePermission(viewer, "edit a story", post.userId);
  return postId;
}

async function refuseBeyondLimit(tx: SiteTransaction, viewer: Member): Promise<void> {
  const count = await countRows(tx.db.selectFrom("working_copies").where("userId", "=", viewer.id));
  if (count >= draftsPerPerson) throw new TooMany(draftTexts.tooMany);
}

/**
 * Moves the versions and pictures of a working copy to the post and deletes the copy. Later saves of the same text are refused.
 * @throws Conflict ("changed-meanwhile") if the copy has another text than the post.
 */
export async function finishWorkingCopy(
  tx: SiteTransaction,
  viewer: Member,
  draftBase: DraftBase,
  into: { postId: string; draft: Draft; isNew: boolean },
): Promise<void> {
  const { id } = draftBase;
  await recordFinished(tx, viewer, draftBase);
  // The page's last save may still be arriving.
  const copy = await forUpdate(tx, tx.db.selectFrom("working_copies").selectAll().where("id", "=", id)).executeTakeFirst();
  if (!copy || copy.userId !== viewer.id) return;
  const mine = isBasis(copy, draftBase) || isSameDraft(draftOf(copy), into.draft, into.isNew);
  if (!mine) throw changedMeanwhile(otherVersionOf(copy));
  await tx.db.updateTable("versions").set({ postId: into.postId, copyId: null }).where("copyId", "=", id).execute();
  await tx.db
    .insertInto("post_files")
    .columns(["postId", "fileId"])
    .expression((eb) =>
      eb
        .selectFrom("copy_files")
        .select((each) => [each.val(into.postId).as("postId"), "copy_files.fileId"])
        .where("copyId", "=", id),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx.db.deleteFrom("working_copies").where("id", "=", id).execute();
}

/** What a page had typed when it sent its form is in the story now. Forms without JavaScript have no `writer` of their own. */
async function recordFinished(tx: SiteTransaction, viewer: Member, { id, writer, count }: DraftBase): Promise<void> {
  if (!isOwnCopyId(viewer.id, id) || !/^[0-9a-z-]{8,60}$/.test(writer) || !Number.isSafeInteger(count) || count < 0) return;
  await tx.db
    .insertInto("finished_drafts")
    .values({ userId: viewer.id, copyId: id, writer, writerCount: count, finishedAt: tx.now() })
    .onConflict((conflict) => conflict.columns(["userId", "copyId", "writer"]).doUpdateSet({ writerCount: count, finishedAt: tx.now() }))
    .execute();
}

/** Whether a story has what the page had typed at this save: the save was delayed, or its page was closed before the answer to its form. */
async function isFinished({ db }: SiteTransaction, viewer: Member, { id, writer, count }: DraftBase): Promise<boolean> {
  const found = await db
    .selectFrom("finished_drafts")
    .select("writer")
    .where("userId", "=", viewer.id)
    .where("copyId", "=", id)
    .where("writer", "=", writer)
    .where("writerCount", ">=", count)
    .executeTakeFirst();
  return found !== undefined;
}

export async function sweepFinishedDrafts({ db, now }: Site): Promise<void> {
  await db
    .deleteFrom("finished_drafts")
    .where("finishedAt", "<", now() - finishedRetentionMs)
    .execute();
}

function read(tx: SiteTransaction, id: string): Promise<WorkingCopyRow | undefined> {
  return tx.db.selectFrom("working_copies").selectAll().where("id", "=", id).executeTakeFirst();
}

export function copyOf(row: WorkingCopyRow): WorkingCopy {
  const { id, postId, postVersion, revision, writer, updatedAt } = row;
  return { ...draftOf(row), id, postId, postVersion, revision, writer, updatedAt };
}

function draftOf({ title, slug, slugTyped, markdown, status, featuredImage }: WorkingCopyRow): Draft {
  return { title, slug, slugTyped: Boolean(slugTyped), content: markdown, status, featuredImage };
}

function otherVersionOf(row: WorkingCopyRow | undefined): OtherVersion | null {
  return row ? { ...draftOf(row), kind: "draft", number: row.revision, by: null } : null;
}
