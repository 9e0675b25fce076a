import { sql } from "kysely";
import type { SiteTransaction } from "../site.ts";
import { discardFile } from "./files.server.ts";

export const shownIn = [
  { table: "posts", column: "featuredImage" },
  { table: "profiles", column: "profileImage" },
  { table: "messages", column: "fileId" },
  { table: "working_copies", column: "featuredImage" },
  { table: "post_files", column: "fileId" },
  { table: "copy_files", column: "fileId" },
  { table: "fetched_pictures", column: "fileId" },
] as const;

type Options = {
  from?: { postId: string } | { copyId: string };
  anonymous?: boolean;
};

const filesPerQuery = 500;

/**
 * Removes those of the files that nothing shows any more, after the commit; what fails then goes with a later sweep. One that
 * someone else's story shows stays.
 */
export async function releaseFiles(tx: SiteTransaction, fileIds: string[], { from, anonymous = false }: Options = {}): Promise<void> {
  const shown = shownIn.map(
    ({ table, column }) => sql`exists (select 1 from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = files.id)`,
  );
  const candidates = [...new Set(fileIds)];
  for (let start = 0; start < candidates.length; start += filesPerQuery) {
    const some = candidates.slice(start, start + filesPerQuery);
    if (from && "copyId" in from)
      await tx.db.deleteFrom("copy_files").where("copyId", "=", from.copyId).where("fileId", "in", some).execute();
    if (from && "postId" in from)
      await tx.db.deleteFrom("post_files").where("postId", "=", from.postId).where("fileId", "in", some).execute();
    const released = await tx.db
      .updateTable("files")
      .set(anonymous ? { attachedAt: null, ownerId: null, name: "" } : { attachedAt: null })
      .where("id", "in", some)
      .where(sql<boolean>`not (${sql.join(shown, sql` or `)})`)
      .returning("id")
      .execute();
    discardAfterCommit(
      tx,
      released.map(({ id }) => id),
    );
  }
}

export function discardAfterCommit(tx: SiteTransaction, fileIds: string[]): void {
  for (const id of fileIds) tx.afterCommit((site) => discardFile(site, id));
}
