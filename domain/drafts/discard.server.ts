import { releaseFiles } from "../files/files.server.ts";
import { requirePermission } from "../permissions.ts";
import { type Member, type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";

/** Returns the story whose changes were discarded; null for a new one. */
export async function discardWorkingCopy(site: Site, viewer: Viewer, id: string): Promise<{ postId: string | null }> {
  requirePermission(viewer, "save unfinished work");
  return transaction(site, async (tx) => {
    const copy = await tx.db.selectFrom("working_copies").select(["userId", "postId"]).where("id", "=", id).executeTakeFirst();
    await removeWorkingCopies(tx, viewer, { id });
    return { postId: copy?.userId === viewer.id ? copy.postId : null };
  });
}

export async function removeWorkingCopies(tx: SiteTransaction, viewer: Member, which: { id: string } | { postId: string }): Promise<void> {
  const [column, value] = "id" in which ? (["id", which.id] as const) : (["postId", which.postId] as const);
  const copies = await tx.db
    .selectFrom("working_copies")
    .select(["id", "featuredImage"])
    .where("userId", "=", viewer.id)
    .where(column, "=", value)
    .execute();
  if (copies.length === 0) return;
  const ids = copies.map((copy) => copy.id);
  const linked = await tx.db.selectFrom("copy_files").select("fileId").where("copyId", "in", ids).execute();
  await tx.db.deleteFrom("working_copies").where("id", "in", ids).execute();
  await releaseFiles(tx, [
    ...linked.map(({ fileId }) => fileId),
    ...copies.flatMap(({ featuredImage }) => (featuredImage ? [featuredImage] : [])),
  ]);
}
