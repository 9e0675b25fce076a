import { copyIdOf, type DraftSave, newCopyId } from "#domain/drafts/draft.ts";
import { readWorkingCopy } from "#domain/drafts/draft-reads.server.ts";
import { readVersion, type VersionsOf } from "#domain/drafts/versions.server.ts";
import { saveWorkingCopy } from "#domain/drafts/working-copies.server.ts";
import { isRefusal, SignInRequired } from "#domain/refusals.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { readForEditing } from "./update-post.server.ts";

/**
 * Copies an earlier text into the viewer's working copy, whose text is kept as a version. Readers see it when the story is updated.
 * @throws NotFound, NotAllowed; Conflict ("changed-meanwhile") if a page saves at the same time.
 */
export async function restoreVersion(site: Site, viewer: Viewer, of: VersionsOf, versionId: string): Promise<void> {
  if (!viewer) throw new SignInRequired();
  const { title, markdown } = await readVersion(site, viewer, of, versionId);
  const id = "copyId" in of ? of.copyId : copyIdOf(viewer.id, of.postId);
  const copy = await readWorkingCopy(site, viewer, id).catch((error: unknown) => {
    if (isRefusal(error) && error.code === "not-found" && "postId" in of) return null;
    throw error;
  });
  const post = "postId" in of && !copy ? await readForEditing(site, viewer, of.postId) : null;
  const { slug, slugTyped, status, featuredImage } = (copy ?? post) as NonNullable<typeof copy | typeof post>;
  const save: DraftSave = {
    ...{ id, userId: viewer.id, writer: newCopyId(), count: 0, base: copy?.revision ?? null },
    ...{ postId: "postId" in of ? of.postId : null, postVersion: copy ? copy.postVersion : (post?.version ?? null) },
    draft: { title, content: markdown, slug, slugTyped, status, featuredImage },
  };
  await saveWorkingCopy(site, viewer, save);
}
