import { sql } from "kysely";
import { barIfSuspended } from "#domain/accounts/barred-addresses.server.ts";
import { accountDeletedEmail } from "#domain/accounts/security/security-emails.ts";
import { requirePassword } from "#domain/accounts/sign-in/passwords.server.ts";
import { sendEmailNow } from "#domain/mail/send-email.server.ts";
import { forUpdate, lockRows } from "#platform/database/locks.ts";
import { searchWords } from "#platform/database/search/search-words.ts";
import { describeForgotten } from "../documents/live-documents.server.ts";
import { releaseFiles } from "../files/files.server.ts";
import { lockFollows, removeFollows } from "../follows/follows.server.ts";
import { lockConversationsOf } from "../messages/conversation.server.ts";
import { removeBundlesOf } from "../notifications/bundles.server.ts";
import { requirePermission } from "../permissions.ts";
import { type Member, type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { finishDeletions, saveCleanup } from "./cleanups.server.ts";
import { anonymizePosts, removePersonalData } from "./personal-data-references.server.ts";

const postsPerBatch = 100;

/**
 * Deletes the viewer's account and all their personal data (docs/decisions/0016-account-deletion-and-export.md). Stories are deleted in
 * batches, so an interrupted run can be repeated. @returns cookies that end this browser's session. @throws Invalid for `password`,
 * TooMany.
 */
export async function deleteAccount(site: Site, viewer: Viewer, password: string): Promise<string[]> {
  requirePermission(viewer, "delete an account", viewer?.id);
  await requirePassword(site, viewer, password);
  const owner = await site.db.selectFrom("users").select(["name", "email", "emailVerified"]).where("id", "=", viewer.id).executeTakeFirst();
  // Without mail delivery no address can be confirmed.
  const ownsEmail = owner?.emailVerified || !site.mail.delivers;
  const member = { ...viewer, ...owner, ownsEmail };
  await inBatches(() => transaction(site, (tx) => removePosts(tx, member.id)));
  await transaction(site, (tx) => removeAccount(site, tx, member));
  await finishDeletions(site).catch((err) => site.log.error({ err }, "an account deletion is finished by the next sweep"));
  await sendDeletionEmail(site, member);
  const { headers } = await site.auth.api.signOut({ headers: new Headers(), returnHeaders: true });
  return headers.getSetCookie();
}

/** `ownsEmail`: we assume that the email address belongs to this member. */
type DeletedAccount = Member & { ownsEmail: boolean };

/** @param removePosts returns the number of removed posts */
async function inBatches(removePosts: () => Promise<number>): Promise<void> {
  while ((await removePosts()) === postsPerBatch);
}

async function removePosts(tx: SiteTransaction, userId: string): Promise<number> {
  const columns = ["id", "featuredImage", "searchTitle", "searchAuthor"] as const;
  const rows = await tx.db.selectFrom("posts").select(columns).where("userId", "=", userId).limit(postsPerBatch).execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const words = rows.flatMap(({ searchTitle, searchAuthor }) => `${searchTitle} ${searchAuthor}`.split(" ")).filter(Boolean);
  await saveCleanup(tx, { userId, address: null, words: [...new Set(words)], postIds: ids });
  const inTexts = await tx.db.selectFrom("post_files").select("fileId").where("postId", "in", ids).execute();
  for (const was of await describeForgotten(tx, ids)) tx.changed("post.forgotten", was);
  await tx.db.deleteFrom("posts").where("id", "in", ids).execute();
  await anonymizePosts(tx, ids);
  const pictures = rows.flatMap(({ featuredImage }) => featuredImage ?? []);
  await releaseFiles(tx, [...pictures, ...inTexts.map(({ fileId }) => fileId)], { anonymous: true });
  return ids.length;
}

async function removeAccount(site: Site, tx: SiteTransaction, member: DeletedAccount): Promise<void> {
  await lockConversationsOf(tx, member.id);
  // Blocks concurrent inserts of this member's rows until they are deleted.
  await forUpdate(tx, tx.db.selectFrom("users").select("id").where("id", "=", member.id)).execute();
  const files = await filesOf(tx, member.id);
  await inBatches(() => removePosts(tx, member.id));
  // Before the notifications, as reactions and follows do.
  await lockReactedPosts(tx, member.id);
  await lockFollows(tx, member.id);
  await removeBundlesOf(tx, member.id);
  await removeReactions(tx, member.id);
  await removeFollows(tx, member.id);
  await announceDeletedChats(tx, member.id);
  // An unconfirmed address may belong to someone else.
  if (member.ownsEmail) await barIfSuspended(site, tx, member);
  await removePersonalData(tx, member, member.ownsEmail);
  await tx.db
    .insertInto("deleted_accounts")
    .values({ userId: member.id, deletedAt: tx.now() })
    .onConflict((conflict) => conflict.column("userId").doNothing())
    .execute();
  await tx.db.deleteFrom("users").where("id", "=", member.id).execute();
  await releaseFiles(tx, files, { anonymous: true });
  await saveCleanup(tx, { userId: member.id, address: member.email, words: searchWords(member.name), postIds: [] });
}

async function filesOf(tx: SiteTransaction, userId: string): Promise<string[]> {
  const own = await tx.db.selectFrom("files").select("id").where("ownerId", "=", userId).execute();
  const sent = await tx.db
    .selectFrom("messages")
    .select("fileId as id")
    .where((eb) => eb.or([eb("senderId", "=", userId), eb("receiverId", "=", userId)]))
    .where("fileId", "is not", sql.lit(null))
    .execute();
  return [...new Set([...own, ...sent].map(({ id }) => String(id)))];
}

/** Nobody can withdraw the member's reactions until the transaction ends, so that each is subtracted once. Ordered against deadlocks. */
async function lockReactedPosts(tx: SiteTransaction, userId: string): Promise<void> {
  const reacted = (table: "likes" | "bookmarks") => tx.db.selectFrom(table).select("postId").where("userId", "=", userId);
  const posts = tx.db
    .selectFrom("posts")
    .select("id")
    .where("id", "in", reacted("likes").union(reacted("bookmarks")));
  await lockRows(tx, posts.orderBy("id"));
}

/** After `lockReactedPosts`: a statement that waits for a row would count by its older view of the reactions. */
async function removeReactions(tx: SiteTransaction, userId: string): Promise<void> {
  for (const [table, counter] of [
    ["likes", "likesCount"],
    ["bookmarks", "bookmarksCount"],
  ] as const) {
    await tx.db
      .updateTable("posts")
      .set((eb) => ({ [counter]: eb(counter, "-", eb.lit(1)) }))
      .where("id", "in", (eb) => eb.selectFrom(table).select("postId").where("userId", "=", userId))
      .execute();
    await tx.db.deleteFrom(table).where("userId", "=", userId).execute();
  }
}

async function announceDeletedChats(tx: SiteTransaction, userId: string): Promise<void> {
  const rows = await tx.db
    .selectFrom("conversations")
    .select("lastNumber as number")
    .select((eb) =>
      eb.case().when("firstUserId", "=", userId).then(eb.ref("secondUserId")).else(eb.ref("firstUserId")).end().as("partnerId"),
    )
    .where((eb) => eb.or([eb("firstUserId", "=", userId), eb("secondUserId", "=", userId)]))
    .execute();
  for (const { partnerId, number } of rows)
    tx.changed("chat.deleted", { members: [{ userId: partnerId, partnerId: userId }], number, messages: [], conversations: [] });
}

async function sendDeletionEmail(site: Site, member: DeletedAccount): Promise<void> {
  // An unconfirmed address may belong to someone else. In the data folder this email would be the only trace left.
  if (member.ownsEmail && site.mail.delivers) await sendEmailNow(site, { kind: "goodbye", ...accountDeletedEmail(site, member) });
}
