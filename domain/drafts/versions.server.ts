import { mayReadPost } from "#domain/may-read-post.ts";
import type { VersionRow } from "#platform/database/schema.ts";
import { newId } from "#platform/ids.ts";
import { recordAccess } from "../audit/record-access.server.ts";
import { isStorageFull } from "../files/files.server.ts";
import { requirePermission } from "../permissions.ts";
import { NotFound } from "../refusals.ts";
import type { Site, SiteTransaction, Viewer } from "../site.ts";
import { maxVersions } from "./draft.ts";

export type Version = { id: string; title: string; markdown: string; by: string | null; createdAt: number };
/** `length`: characters; null for a text of more than `maxCountedBytes`. */
export type VersionSummary = Omit<Version, "markdown"> & { length: number | null };

/** Counting characters reads the text, which takes 1.8 ms a megabyte on SQLite. */
const maxCountedBytes = 500_000;

export type VersionsOf = { postId: string } | { copyId: string };

/** If the writer's storage is full, the oldest versions of the same text make room. */
export async function saveVersion(
  tx: SiteTransaction,
  { owner, ...version }: Pick<VersionRow, "userId" | "title" | "markdown"> & { owner: VersionsOf },
): Promise<void> {
  const now = tx.now();
  const postId = "postId" in owner ? owner.postId : null;
  const copyId = "copyId" in owner ? owner.copyId : null;
  await tx.db
    .insertInto("versions")
    .values({ ...version, postId, copyId, id: newId(now), createdAt: now })
    .execute();
  const [column, value] = postId ? (["postId", postId] as const) : (["copyId", copyId] as const);
  const old = tx.db
    .selectFrom("versions")
    .select("id")
    .where(column, "=", value)
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(1000)
    .offset(maxVersions);
  await tx.db.deleteFrom("versions").where("id", "in", old).execute();
  if (!version.userId || !(await isStorageFull(tx, version.userId))) return;
  const versions = await tx.db
    .selectFrom("versions")
    .select("id")
    .select((eb) => eb.fn<number>("octet_length", ["markdown"]).as("bytes"))
    .where(column, "=", value)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  const oldest = oldestOf(versions);
  if (oldest.length > 0) await tx.db.deleteFrom("versions").where("id", "in", oldest).execute();
}

/** As many as are needed for the newest to take no more storage; never the newest, which could be the only copy of its text. */
function oldestOf(versions: { id: string; bytes: number }[]): string[] {
  let missing = versions.at(-1)?.bytes ?? 0;
  const oldest: string[] = [];
  for (const { id, bytes } of versions.slice(0, -1)) {
    if (missing <= 0) break;
    missing -= bytes;
    oldest.push(id);
  }
  return oldest;
}

/** Newest first. @throws NotFound if the viewer can't read the story, NotAllowed if they can't edit it. */
export async function listVersions(site: Site, viewer: Viewer, of: VersionsOf): Promise<VersionSummary[]> {
  const query = await findVersions(site, viewer, of);
  return query
    .select(["versions.id", "versions.title", "versions.createdAt", "profiles.userName as by"])
    .select((eb) => {
      const length = eb.fn<number>("length", ["versions.markdown"]);
      const bytes = eb.fn<number>("octet_length", ["versions.markdown"]);
      return eb.case().when(bytes, "<=", maxCountedBytes).then(length).end().as("length");
    })
    .orderBy("versions.createdAt", "desc")
    .orderBy("versions.id", "desc")
    .limit(2 * maxVersions)
    .execute();
}

/** Audited for another member's story. @throws as `listVersions`. */
export async function readVersion(site: Site, viewer: Viewer, of: VersionsOf, id: string): Promise<Version> {
  const query = await findVersions(site, viewer, of);
  const row = await query
    .leftJoin("posts", "posts.id", "versions.postId")
    .select(["versions.id", "versions.title", "versions.markdown", "versions.createdAt", "profiles.userName as by"])
    .select("posts.userId as authorId")
    .where("versions.id", "=", id)
    .executeTakeFirst();
  if (!row) throw new NotFound();
  const { authorId, ...version } = row;
  if (viewer && authorId !== null && authorId !== viewer.id)
    await recordAccess(site, viewer, {
      action: "version.viewed",
      subject: `post:${"postId" in of ? of.postId : ""}`,
      after: { version: id },
    });
  return version;
}

async function findVersions(site: Site, viewer: Viewer, of: VersionsOf) {
  const query = site.db.selectFrom("versions").leftJoin("profiles", "profiles.userId", "versions.userId");
  const ownCopies = site.db
    .selectFrom("working_copies")
    .select("id")
    .where("userId", "=", viewer?.id ?? "");
  if ("copyId" in of) return query.where("versions.copyId", "in", ownCopies.where("id", "=", of.copyId));
  const post = await site.db.selectFrom("posts").select(["userId", "status", "heldBy"]).where("id", "=", of.postId).executeTakeFirst();
  if (!post || !mayReadPost(viewer, post)) throw new NotFound();
  requirePermission(viewer, "edit a story", post.userId);
  return query.where((eb) =>
    eb.or([eb("versions.postId", "=", of.postId), eb("versions.copyId", "in", ownCopies.where("postId", "=", of.postId))]),
  );
}
