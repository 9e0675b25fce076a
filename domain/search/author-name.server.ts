import { setImmediate as nextTurn } from "node:timers/promises";
import { lockUntilCommit } from "#platform/database/locks.ts";
import { addSearchWords, searchColumn } from "#platform/database/search/search-words.ts";
import { type Site, type SiteTransaction, transaction } from "../site.ts";

/** In one transaction: SQLite indexes all words of each story again, which takes 0.5 s for 150 kB of different words. */
const maxBatch = { stories: 100, bytes: 100_000 };

/** Makes a member's stories searchable by their current name. Requests and other writers get their turn in between. Idempotent. */
export async function indexAuthorName(site: Site, userId: string): Promise<void> {
  let last: number | undefined = 0;
  while (last !== undefined) {
    const after: number = last;
    last = await transaction(site, (tx) => indexBatch(tx, userId, after));
    await nextTurn();
  }
}

/** @returns the number of the last story; undefined if there are no more. */
async function indexBatch(tx: SiteTransaction, userId: string, after: number): Promise<number | undefined> {
  const name = await readAuthorName(tx, userId);
  if (name === undefined) return undefined;
  const stories = await tx.db
    .selectFrom("posts")
    .select(["id", "number"])
    .select((eb) => eb.fn<number>("octet_length", ["searchText"]).as("bytes"))
    .where("userId", "=", userId)
    .where("number", ">", after)
    .orderBy("number")
    .limit(maxBatch.stories)
    .execute();
  let bytes = 0;
  const batch = stories.filter((story, index) => {
    bytes += story.bytes;
    return index === 0 || bytes <= maxBatch.bytes;
  });
  const ids = batch.map(({ id }) => id);
  if (ids.length === 0) return undefined;
  const searchAuthor = searchColumn(name);
  await tx.db.updateTable("posts").set({ searchAuthor }).where("id", "in", ids).where("searchAuthor", "<>", searchAuthor).execute();
  await addSearchWords(tx.db, [searchAuthor]);
  return batch.at(-1)?.number;
}

/** The current name, for a story that is written in this transaction. A renaming at the same time then changes the story too. */
export async function readAuthorName(tx: SiteTransaction, userId: string): Promise<string | undefined> {
  // No row of the member's own, whose lock would deadlock with rows that refer to it and with the deletion of the account.
  await lockUntilCommit(tx, `stories of ${userId}`);
  const profile = tx.db.selectFrom("profiles").select("userName").where("userId", "=", userId);
  return (await profile.executeTakeFirst())?.userName;
}
