import { sql } from "kysely";
import { revokeVerifications } from "#domain/accounts/security/security-state.server.ts";
import { forgetRefusedEmail } from "#domain/mail/refused-emails.server.ts";
import { readInBatches } from "#platform/database/batches.ts";
import { contains } from "#platform/database/search/contains.ts";
import type { ChangeKind } from "../changes.ts";
import type { Member, Site, SiteTransaction } from "../site.ts";

/**
 * Columns that name a member without a foreign key, and what account deletion does with them. A test finds columns that are missing here.
 */
export const personalDataReferences: Record<string, string> = {
  "moderation_actions.moderatorName": "replaced; the decision is kept",
  "adjusted_likes.userId": "kept: not the id of an account",
  "audit_log.userName": "replaced; action and time are kept",
  "deleted_accounts.userId": "kept: shows only that an account existed",
  "deletion_cleanups.address": "removed when the deletion is finished, or by the next sweep",
  "deletion_cleanups.userId": "removed when the deletion is finished, or by the next sweep",
  "email_changes.fromEmail": "removed with the account",
  "email_changes.toEmail": "removed with the account",
  "events.data": "emptied if it contains the id, unless it says that a chat was deleted; a story's topic is replaced",
  "subscribers.email": "removed if the account's address is confirmed",
  "newsletters.lastEmail": "emptied when the newsletter is queued, within minutes",
  "outbox.address": "removed with the account, or if the account's address is confirmed",
  "refused_addresses.address": "removed if the account's address is confirmed",
  "notifications.emailDueAt": "removed with the account: it is a time",
  "notification_preferences.email": "removed with the account: it is a frequency",
  "story_emails.lastUserId": "removed when the story's emails are queued, a day after its publication at the latest",
  "participants.emailDueAt": "removed with the account: it is a time",
  "posts.heldBy": "kept with the story: the id of a moderation action",
  "users.email": "removed with the account",
  "users.emailVerified": "removed with the account",
  "posts.searchAuthor": "removed with the story",
  "posts.userName": "removed with the story",
  "profiles.userName": "removed with the profile",
  "verifications.value": "removed if it is or contains the id",
  "views.viewerKey": "removed if it is the id",
};

/** The hash chain stays valid: an entry without a salt isn't compared. */
const emptied = { before: null, after: null, salt: null };

const deletedMemberName = "Deleted member";

/** Matches whole ids and addresses only: members choose their ids, which could be part of another text. */
export async function removePersonalData(
  tx: SiteTransaction,
  { id, email }: Pick<Member, "id" | "email">,
  ownsEmail: boolean,
): Promise<void> {
  const { db } = tx;
  await revokeVerifications(tx, id);
  await db.deleteFrom("views").where("viewerKey", "=", id).execute();
  if (ownsEmail) await removeTracesOfEmail(tx, email);
  await db.updateTable("audit_log").set({ userName: deletedMemberName, network: null, salt: null }).where("userId", "=", id).execute();
  await db.updateTable("audit_log").set(emptied).where("subject", "=", `user:${id}`).execute();
  await clearErasedPosts(tx, id);
  await clearReports(tx, id);
  await clearRemovedFiles(tx, id);
  await db.updateTable("moderation_actions").set({ moderatorName: deletedMemberName }).where("moderatorId", "=", id).execute();
  await db.updateTable("reports").set({ note: "", additions: "[]" }).where("reporterId", "=", id).execute();
  await db
    .updateTable("reports")
    .set((eb) => ({ excerpt: "", subjectId: eb.case().when("kind", "=", "post").then(eb.ref("id")).else(eb.ref("subjectId")).end() }))
    .where("ownerId", "=", id)
    .execute();
}

/** Decisions about stories that were erased earlier. By subject too, which has an index; the address alone may be another story's by now. */
async function clearErasedPosts({ db }: SiteTransaction, memberId: string): Promise<void> {
  const actions = db.selectFrom("moderation_actions").where("memberId", "=", memberId).where("subject", "like", "post:%");
  await db
    .updateTable("audit_log")
    .set({ subject: "post:gone", ...emptied })
    .where("subject", "in", actions.select("subject"))
    .where("actionId", "in", actions.select("id"))
    .execute();
}

/** Reports by and about the member. */
async function clearReports({ db }: SiteTransaction, memberId: string): Promise<void> {
  const reports = db.selectFrom("reports").select(sql<string>`'report:' || id`.as("subject"));
  const theirs = reports.where("reporterId", "=", memberId).union(reports.where("ownerId", "=", memberId));
  await db.updateTable("audit_log").set(emptied).where("subject", "in", theirs).execute();
}

/** The log keeps the name and owner of files that staff removed. */
async function clearRemovedFiles(tx: SiteTransaction, ownerId: string): Promise<void> {
  const removed = tx.db.updateTable("audit_log").set(emptied).where("action", "=", "file.removed");
  await removed.where(containsJson(tx, "before", `"owner":${JSON.stringify(ownerId)}`)).execute();
}

async function removeTracesOfEmail({ db }: SiteTransaction, email: string): Promise<void> {
  await db.deleteFrom("subscribers").where("email", "=", email).execute();
  await db.deleteFrom("outbox").where("address", "=", email).execute();
  await forgetRefusedEmail(db, email);
}

const memberFields = [
  "userId",
  "partnerId",
  "senderId",
  "receiverId",
  "lastSenderId",
  "followerId",
  "followedId",
  "ownerId",
  "reporterId",
  "readerId",
  "$ownerId",
];

/**
 * Cursors refer to event numbers, so rows are emptied, not deleted. Keeps those about deleted chats: the deletion's own may not have reached
 * partners' pages yet.
 */
export async function emptyEventsOfMember({ db, engine }: Site, id: string): Promise<void> {
  const names = (field: string) => containsJson({ engine }, "data", `${JSON.stringify(field)}:${JSON.stringify(id)}`);
  await db
    .updateTable("events")
    .set({ data: "{}" })
    .where("type", "<>", "chat.deleted" satisfies ChangeKind)
    .where((eb) =>
      eb.or([
        ...memberFields.map(names),
        // Documents whose id is their owner's id.
        eb.and([eb.or([eb("type", "like", "profiles.%"), eb("type", "like", "users.%")]), names("id")]),
        eb.and([eb("type", "like", "reports.%"), containsJson({ engine }, "data", '"kind":"profile"'), names("subjectId")]),
      ]),
    )
    .execute();
}

/** Safe for JSON keys and values: quotes inside a string are escaped. */
function containsJson({ engine }: Pick<Site, "engine">, column: string, piece: string) {
  return contains(engine, sql.ref(column), piece);
}

export async function anonymizePosts(tx: SiteTransaction, postIds: string[]): Promise<void> {
  const names = postIds.map((id) => `post:${id}`);
  await tx.db.updateTable("events").set({ topic: "gone", data: "{}" }).where("topic", "in", names).execute();
  await tx.db
    .updateTable("audit_log")
    .set({ subject: "post:gone", ...emptied })
    .where("subject", "in", names)
    .execute();
  await clearNewsletters(tx, postIds);
}

/** Waiting emails of these newsletters are dropped. */
async function clearNewsletters({ db, url }: SiteTransaction, postIds: string[]): Promise<void> {
  const links = postIds.map((id) => JSON.stringify(`${url}/post/${encodeURIComponent(id)}"`).slice(1, -1));
  const issues = await db.selectFrom("newsletters").select(["week", "body"]).where("body", "is not", null).execute();
  const weeks = issues.flatMap(({ week, body }) => (links.some((link) => body?.includes(link)) ? [week] : []));
  if (weeks.length > 0) await db.updateTable("newsletters").set({ body: null }).where("week", "in", weeks).execute();
}

const eventsPerBatch = 1000;

export async function emptyEventsOfPosts({ db }: Site, postIds: ReadonlySet<string>): Promise<void> {
  const read = (after: number) =>
    db.selectFrom("events").select(["number", "data"]).where("number", ">", after).orderBy("number").limit(eventsPerBatch).execute();
  const numbers: number[] = [];
  for await (const { number, data } of readInBatches(0, read, (row) => row.number))
    if (Object.values(JSON.parse(data)).some((value) => postIds.has(String(value)))) numbers.push(number);
  for (let start = 0; start < numbers.length; start += eventsPerBatch)
    await db
      .updateTable("events")
      .set({ data: "{}" })
      .where("number", "in", numbers.slice(start, start + eventsPerBatch))
      .execute();
}
