import { sql } from "kysely";
import { purgeDeletedRows, truncateWal } from "#platform/database/purge-deleted.ts";
import { contains } from "#platform/database/search/contains.ts";
import { indexAuthorName } from "../search/author-name.server.ts";
import { removeUnusedSearchWords } from "../search/unused-words.server.ts";
import type { Site, SiteTransaction } from "../site.ts";
import { emptyEventsOfMember, emptyEventsOfPosts } from "./personal-data-references.server.ts";

/** `address`: of the deleted account; null while only stories were deleted, and for a renamed member. Replaced titles have words only. */
export type Cleanup = { userId: string; address: string | null; words: string[]; postIds: string[] };

/** Saves what `finishDeletions` removes, in the transaction that deletes the rest. */
export async function saveCleanup({ db }: SiteTransaction, { words, postIds, ...cleanup }: Cleanup): Promise<void> {
  const values = { ...cleanup, words: JSON.stringify(words), postIds: JSON.stringify(postIds) };
  await db.insertInto("deletion_cleanups").values(values).execute();
}

const cleanupsPerBatch = 100;

/**
 * Removes what is too much for the transactions of an account deletion: search words, texts in events, queued emails, and remains in the
 * database's files. Finishes renamings. Does nothing if nothing waits; the sweep calls it too, in case a process ended in between.
 */
export async function finishDeletions(site: Site): Promise<void> {
  const rows = await site.db.selectFrom("deletion_cleanups").selectAll().orderBy("number").limit(cleanupsPerBatch).execute();
  if (rows.length === 0) return;
  for (const { userId, address } of rows) if (address !== null) await removeTraces(site, { userId, address });
  const valuesOf = (column: "words" | "postIds") => new Set(rows.flatMap((row) => JSON.parse(row[column]) as string[]));
  for (const userId of new Set(rows.map((row) => row.userId))) if (userId) await indexAuthorName(site, userId);
  await removeUnusedSearchWords(site, valuesOf("words"));
  await emptyEventsOfPosts(site, valuesOf("postIds"));
  await purgeDeletedRows(site.db, site.engine);
  const numbers = rows.map(({ number }) => number);
  await site.db.deleteFrom("deletion_cleanups").where("number", "in", numbers).execute();
  await truncateWal(site.db, site.engine);
  await finishDeletions(site);
}

async function removeTraces(site: Site, account: { userId: string; address: string }): Promise<void> {
  await removeEmails(site, account);
  await emptyEventsOfMember(site, account.userId);
}

/** Emails in the data folder, and queued ones to other people that link to the deleted account. */
async function removeEmails(site: Site, { userId, address }: { userId: string; address: string }): Promise<void> {
  const links = [`${site.url}/profile/${userId}`, `${site.url}/messages/${userId}`];
  for (const link of links) {
    const named = contains(site.engine, sql.ref("message"), `${JSON.stringify(link).slice(1, -1)}\\n`);
    await site.db.deleteFrom("outbox").where("state", "<>", "sent").where("message", "is not", null).where(named).execute();
  }
  await site.mail.deleteMatching?.({ address, links });
}
