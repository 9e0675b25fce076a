import { lockUntilCommit } from "#platform/database/locks.ts";
import { addSearchWords, searchColumn } from "#platform/database/search/search-words.ts";
import type { SiteTransaction } from "../site.ts";
import { forgetSearchWords } from "./unused-words.server.ts";

/** Makes a member's stories searchable by their new name. */
export async function updateAuthorName(
  tx: SiteTransaction,
  userId: string,
  { before = "", name }: { before: string | undefined; name: string },
) {
  await lockPostsOf(tx, userId);
  const searchAuthor = searchColumn(name);
  await tx.db.updateTable("posts").set({ searchAuthor }).where("userId", "=", userId).execute();
  await addSearchWords(tx.db, [searchAuthor]);
  await forgetSearchWords(tx, before, name);
}

/** The present name, for a story that is written in this transaction. A renaming at the same time then changes the story too. */
export async function readAuthorName(tx: SiteTransaction, userId: string): Promise<string | undefined> {
  await lockPostsOf(tx, userId);
  const profile = tx.db.selectFrom("profiles").select("userName").where("userId", "=", userId);
  return (await profile.executeTakeFirst())?.userName;
}

/** No row of the member's own, whose lock would deadlock with rows that refer to it and with the deletion of the account. */
function lockPostsOf(tx: SiteTransaction, userId: string): Promise<void> {
  return lockUntilCommit(tx, `stories of ${userId}`);
}
