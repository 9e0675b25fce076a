import { sql } from "kysely";
import { recordAudit } from "#domain/audit/audit.server.ts";
import { recordAccess } from "#domain/audit/record-access.server.ts";
import { removeFromEverything } from "#domain/files/files.server.ts";
import { reasonMaxLength } from "#domain/moderation/moderation-action.ts";
import { may, requirePermission } from "#domain/permissions.ts";
import { readablePosts } from "#domain/readable-posts.server.ts";
import { Invalid, NotFound } from "#domain/refusals.ts";
import { type Site, transaction, type Viewer } from "#domain/site.ts";
import { cutPage, isBeyond, readCursor } from "#platform/database/keyset.ts";
import { type AdminFile, adminFileTexts, type FileSort, type FileUse } from "./admin-files.ts";

export type FileQuery = {
  sort: FileSort;
  ownerId: string;
  after: string;
  limit: number;
};

export type FilePage = { files: AdminFile[]; next: string | null };

export async function listAllFiles(site: Site, viewer: Viewer, { sort, ownerId, after, limit }: FileQuery): Promise<FilePage> {
  requirePermission(viewer, "see files");
  await recordAccess(site, viewer, {
    action: "files.listed",
    subject: "files",
    after: { sort, ...(ownerId && { ownerId }), ...(after && { after }) },
  });
  const column = ownerId === "" && sort === "largest" ? "size" : "createdAt";
  let query = site.db.selectFrom("files").select(["id", "size", "createdAt"]);
  if (ownerId) query = query.where("ownerId", "=", ownerId);
  const from = readCursor(after, ["number", "text"]);
  if (from) query = query.where(isBeyond([sql.ref(column), sql.ref("id")], from));
  const rows = await query
    .orderBy(column, "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const { rows: shown, next } = cutPage(rows, limit, (row) => [row[column], row.id]);
  const ids = shown.map(({ id }) => id);
  return { files: await readFiles(site, viewer, ids), next };
}

/** @throws NotFound. */
export async function readAdminFile(site: Site, viewer: Viewer, id: string): Promise<AdminFile> {
  requirePermission(viewer, "see files");
  const [file] = await readFiles(site, viewer, [id]);
  if (!file) throw new NotFound();
  return file;
}

async function readFiles(site: Site, viewer: Viewer, ids: string[]): Promise<AdminFile[]> {
  if (ids.length === 0) return [];
  const rows = await site.db
    .selectFrom("files")
    .leftJoin("profiles", "profiles.userId", "files.ownerId")
    .select(["files.id", "files.name", "files.type", "files.size", "files.createdAt", "files.ownerId", "files.width"])
    .select(["files.public", "files.pieces as chunks", "files.signature", "profiles.userName as ownerName"])
    .where("files.id", "in", ids)
    .execute();
  const uses = await usesOf(site, viewer, ids);
  const byId = new Map(
    rows.map(({ width, public: isPublic, chunks, signature, ...row }): [string, AdminFile] => {
      const others: FileUse[] = [
        ...(isPublic ? [{ kind: "public" } as const] : []),
        ...(chunks > 1 && signature === null ? [{ kind: "arriving" } as const] : []),
      ];
      const all = [...(uses.get(row.id) ?? []), ...others];
      const isPrivate = !all.some(({ kind }) => kind === "story" || kind === "profile" || kind === "public");
      const name = isPrivate && !may(viewer, "read private messages") ? "Private file" : row.name;
      return [row.id, { ...row, name, size: Number(row.size), isPicture: width !== null, uses: all }];
    }),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const access = ["posts.id", "posts.title", "posts.status", "posts.userId", "posts.heldBy", "posts.updatedAt"] as const;

async function usesOf(site: Site, viewer: Viewer, ids: string[]): Promise<Map<string, FileUse[]>> {
  const { db } = site;
  const [covers, pictures, profiles, messages, copies, drafts] = await Promise.all([
    db
      .selectFrom("posts")
      .select([...access, "featuredImage as fileId"])
      .where("featuredImage", "in", ids)
      .execute(),
    db
      .selectFrom("post_files")
      .innerJoin("posts", "posts.id", "post_files.postId")
      .select([...access, "post_files.fileId"])
      .where("post_files.fileId", "in", ids)
      .execute(),
    db.selectFrom("profiles").select(["userId", "profileImage as fileId"]).where("profileImage", "in", ids).execute(),
    db.selectFrom("messages").select("fileId").where("fileId", "in", ids).execute(),
    db.selectFrom("working_copies").select("featuredImage as fileId").where("featuredImage", "in", ids).execute(),
    db.selectFrom("copy_files").select("fileId").where("fileId", "in", ids).execute(),
  ]);
  const readable = await readablePosts(site, viewer, [...covers, ...pictures]);
  const found = new Map<string, FileUse[]>();
  const add = (fileId: string | null, use: FileUse) => {
    const known = found.get(fileId ?? "") ?? [];
    if (!known.some((each) => JSON.stringify(each) === JSON.stringify(use))) found.set(fileId ?? "", [...known, use]);
  };
  for (const { id, title, fileId } of readable) add(fileId, { kind: "story", id, title });
  for (const post of [...covers, ...pictures]) if (!readable.includes(post)) add(post.fileId, { kind: "unfinished" });
  for (const { userId, fileId } of profiles) add(fileId, { kind: "profile", id: userId });
  for (const { fileId } of messages) add(fileId, { kind: "message" });
  for (const { fileId } of [...copies, ...drafts]) add(fileId, { kind: "unfinished" });
  return found;
}

/** Permanent, wherever the file is used. @throws Invalid without a reason, NotFound. */
export async function removeAnyFile(site: Site, viewer: Viewer, id: string, reason: string): Promise<void> {
  requirePermission(viewer, "remove a file");
  const trimmedReason = reason.trim().slice(0, reasonMaxLength);
  if (trimmedReason === "") throw new Invalid(adminFileTexts.reasonRequired, "reason");
  await transaction(site, async (tx) => {
    const file = await tx.db.selectFrom("files").select(["name", "type", "size", "ownerId"]).where("id", "=", id).executeTakeFirst();
    if (!file) throw new NotFound();
    const { name, type, size, ownerId } = file;
    await recordAudit(tx, viewer, {
      action: "file.removed",
      subject: `file:${id}`,
      before: { name, type, size: Number(size), owner: ownerId },
      after: { reason: trimmedReason },
    });
    await removeFromEverything(tx, id);
  });
}
