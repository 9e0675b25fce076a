import { addSearchWords, searchColumn } from "#platform/database/search/search-words.ts";
import type { SiteTransaction } from "../site.ts";
import { forgetSearchWords } from "./unused-words.server.ts";

/** Makes a member's stories searchable by their new name. */
export async function updateAuthorName(
  tx: SiteTransaction,
  userId: string,
  { before = "", name }: { before: string | undefined; name: string },
) {
  const searchAuthor = searchColumn(name);
  await tx.db.updateTable("posts").set({ searchAuthor }).where("userId", "=", userId).execute();
  await addSearchWords(tx.db, [searchAuthor]);
  forgetSearchWords(tx, before, name);
}
