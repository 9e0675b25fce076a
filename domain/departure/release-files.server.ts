import { sql } from "kysely";
import type { SiteTransaction } from "../site.ts";

/** Every column that shows a file: a test finds those that are missing here. */
export const shownIn = [
  { table: "posts", column: "featuredImage" },
  { table: "profiles", column: "profileImage" },
  { table: "messages", column: "fileId" },
  { table: "working_copies", column: "featuredImage" },
  { table: "post_files", column: "fileId" },
  { table: "copy_files", column: "fileId" },
  { table: "fetched_pictures", column: "fileId" },
] as const;

/** The files that a member has sent, and those of their messages whoever sent them. */
export async function filesOf(tx: SiteTransaction, userId: string): Promise<string[]> {
  const own = await tx.db.selectFrom("files").select("id").where("ownerId", "=", userId).execute();
  const sent = await tx.db
    .selectFrom("messages")
    .select("fileId as id")
    .where((eb) => eb.or([eb("senderId", "=", userId), eb("receiverId", "=", userId)]))
    .where("fileId", "is not", sql.lit(null))
    .execute();
  return [...new Set([...own, ...sent].map(({ id }) => String(id)))];
}

const atOnce = 500;

/**
 * Lets go of those of the files that nothing shows any more; one that an administrator gave to somebody else's story
 * stays. Returns those let go of; nothing says any more what they were called and who sent them.
 */
export async function releaseFiles(tx: SiteTransaction, candidates: string[]): Promise<string[]> {
  const shown = shownIn.map(
    ({ table, column }) => sql`exists (select 1 from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = files.id)`,
  );
  const released: string[] = [];
  for (let at = 0; at < candidates.length; at += atOnce) {
    const rows = await tx.db
      .updateTable("files")
      .set({ attachedAt: null, ownerId: null, name: "" })
      .where("id", "in", candidates.slice(at, at + atOnce))
      .where(sql<boolean>`not (${sql.join(shown, sql` or `)})`)
      .returning("id")
      .execute();
    released.push(...rows.map(({ id }) => id));
  }
  return released;
}
