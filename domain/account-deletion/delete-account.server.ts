import { sql } from "kysely";
import { barIfSuspended } from "#domain/accounts/barred-addresses.server.ts";
import { accountDeletedEmail } from "#domain/accounts/security/security-emails.ts";
import { requirePassword } from "#domain/accounts/sign-in/passwords.server.ts";
import { sendEmailNow } from "#domain/mail/send-email.server.ts";
import { forUpdate } from "#platform/database/locks.ts";
import { purgeDeletedRows } from "#platform/database/purge-deleted.ts";
import { contains } from "#platform/database/search/contains.ts";
import { describeForgotten } from "../documents/live-documents.server.ts";
import { releaseFiles } from "../files/files.server.ts";
import { removeFollows } from "../follows/follows.server.ts";
import { removeBundlesOf } from "../notifications/bundles.server.ts";
import { requirePermission } from "../permissions.ts";
import { type Member, type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import {
  anonymizePosts,
  emptyEventsOfPosts,
  readOwnSearchWords,
  removePersonalData,
  removeUnusedSearchWords,
} from "./personal-data-references.server.ts";

const postsPerBatch = 100;

/**
 * Deletes the viewer's account and all their personal data (docs/decisions/0016-account-deletion-and-export.md). Stories are deleted in
 * batches, so an interrupted run can be repeated. @returns cookies that end this browser's session. @throws Invalid for `password`,
 * TooMany.
 */
export async function deleteAccount(site: Site, viewer: Viewer, password: string): Promise<string[]> {
  requirePermission(viewer, "delete an account", viewer?.id);
  await requirePassword(site, viewer, password);
  const { words, stories } = await readOwnSearchWords(site, viewer);
  const owner = await site.db.selectFrom("users").select(["name", "email", "emailVerified"]).where("id", "=", viewer.id).executeTakeFirst();
  // Without mail delivery no address can be confirmed.
  const ownsAddress = owner?.emailVerified || !site.mail.delivers;
  const member = { ...viewer, ...owner, ownsAddress };
  for (const id of await removeEverything(site, member)) stories.add(id);
  await removeUnusedSearchWords(site, words);
  await emptyEventsOfPosts(site, stories);
  await purgeDeletedRows(site.db, site.engine);
  await sendDeletionEmail(site, member);
  const { headers } = await site.auth.api.signOut({ headers: new Headers(), returnHeaders: true });
  return headers.getSetCookie();
}

/** `ownsAddress`: we assume that the email address belongs to this member. */
type DeletedAccount = Member & { ownsAddress: boolean };

async function removeEverything(site: Site, member: DeletedAccount): Promise<string[]> {
  const stories = await inBatches(() => transaction(site, (tx) => removePosts(tx, member.id)));
  return [...stories, ...(await transaction(site, (tx) => removeAccount(site, tx, member)))];
}

async function inBatches(removePosts: () => Promise<string[]>): Promise<string[]> {
  const removed = await removePosts();
  return removed.length < postsPerBatch ? removed : [...removed, ...(await inBatches(removePosts))];
}

async function removePosts(tx: SiteTransaction, userId: string): Promise<string[]> {
  const rows = await tx.db.selectFrom("posts").select(["id", "featuredImage"]).where("userId", "=", userId).limit(postsPerBatch).execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const inTexts = await tx.db.selectFrom("post_files").select("fileId").where("postId", "in", ids).execute();
  for (const was of await describeForgotten(tx, ids)) tx.changed("post.forgotten", was);
  await tx.db.deleteFrom("posts").where("id", "in", ids).execute();
  await anonymizePosts(tx, ids);
  const pictures = rows.flatMap(({ featuredImage }) => featuredImage ?? []);
  await releaseFiles(tx, [...pictures, ...inTexts.map(({ fileId }) => fileId)], { anonymous: true });
  return ids;
}

async function removeAccount(site: Site, tx: SiteTransaction, member: DeletedAccount): Promise<string[]> {
  // Blocks concurrent inserts of this member's rows until they are deleted.
  await forUpdate(tx, tx.db.selectFrom("users").select("id").where("id", "=", member.id)).execute();
  const files = await filesOf(tx, member.id);
  const stories = await inBatches(() => removePosts(tx, member.id));
  await removeBundlesOf(tx, member.id);
  await removeReactions(tx, member.id);
  await removeFollows(tx, member.id);
  await announceDeletedChats(tx, member.id);
  await barIfSuspended(site, tx, member);
  await removePersonalData(tx, member, member.ownsAddress);
  await tx.db
    .insertInto("deleted_accounts")
    .values({ userId: member.id, deletedAt: tx.now() })
    .onConflict((conflict) => conflict.column("userId").doNothing())
    .execute();
  await tx.db.deleteFrom("users").where("id", "=", member.id).execute();
  await releaseFiles(tx, files, { anonymous: true });
  return stories;
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
    tx.changed("chat.deleted", { members: [{ userId: partnerId, partnerId: userId }], number, messages: [] });
}

/** Queued emails to other people that link to the deleted account. */
async function removeEmailsWithLinks({ db, engine }: Site, links: string[]): Promise<void> {
  for (const link of links) {
    const named = contains(engine, sql.ref("message"), `${JSON.stringify(link).slice(1, -1)}\\n`);
    await db.deleteFrom("outbox").where("state", "<>", "sent").where("message", "is not", null).where(named).execute();
  }
}

async function sendDeletionEmail(site: Site, member: Member): Promise<void> {
  const links = [`${site.url}/profile/${member.id}`, `${site.url}/messages/${member.id}`];
  await removeEmailsWithLinks(site, links);
  await site.mail
    .deleteMatching?.({ address: member.email, links })
    .catch((err) => site.log.error({ err }, "emails of a deleted account were not removed"));
  // In the data folder this email would be the only trace left.
  if (site.mail.delivers) await sendEmailNow(site, { kind: "goodbye", ...accountDeletedEmail(site, member) });
}
