import { sql } from "kysely";
import { voidVerifications } from "#domain/accounts/security/security-state.server.ts";
import { contains } from "#platform/database/search/contains.ts";
import type { Member, Site, SiteTransaction } from "../site.ts";

/**
 * Columns that name a member without a foreign key, and what account deletion does with them. A test finds columns that are missing here.
 */
export const personalDataReferences: Record<string, string> = {
  "moderation_actions.moderatorName": "replaced: what was decided stays, by whom does not",
  "adjusted_likes.userId": "kept: it is no account's",
  "audit_log.userName": "replaced: what was done and when stays, by whom does not",
  "deleted_accounts.userId": "kept: it says nothing but that there was an account",
  "email_changes.fromEmail": "removed with the account",
  "email_changes.toEmail": "removed with the account",
  "events.data": "emptied where it names the id, and a story's topic is forgotten",
  "subscribers.email": "removed, once the account has shown that the address is its own",
  "newsletters.lastEmail": "emptied when the newsletter is queued, minutes after it began",
  "outbox.address": "removed with the account, or once the account has shown that the address is its own",
  "refused_addresses.address": "removed, once the account has shown that the address is its own",
  "notifications.emailDueAt": "removed with the account: it is a time",
  "notification_preferences.email": "removed with the account: it says how often",
  "story_emails.lastUserId": "gone once the emails of the story are written, minutes after it was published",
  "participants.emailDueAt": "removed with the account: it is a time",
  "posts.heldBy": "kept with the story: it names an act",
  "users.email": "removed with the account",
  "users.emailVerified": "removed with the account",
  "posts.searchAuthor": "removed with the story",
  "posts.userName": "removed with the story",
  "profiles.userName": "removed with the profile",
  "verifications.value": "removed where it is the id, or names it",
  "views.viewerKey": "removed where it is the id",
};

const somebody = "Deleted member";

/** Matches whole ids and addresses only: members choose their ids, which could be part of another text. */
export async function forgetTraces(tx: SiteTransaction, { id, email }: Pick<Member, "id" | "email">, ownsAddress: boolean): Promise<void> {
  const { db } = tx;
  await voidVerifications(tx, id);
  await db.deleteFrom("views").where("viewerKey", "=", id).execute();
  if (ownsAddress) await forgetAddress(tx, email);
  await db.updateTable("audit_log").set({ userName: somebody, network: null, salt: null }).where("userId", "=", id).execute();
  await db.updateTable("audit_log").set({ before: null, after: null, salt: null }).where("subject", "=", `user:${id}`).execute();
  await db.updateTable("moderation_actions").set({ moderatorName: somebody }).where("moderatorId", "=", id).execute();
  // Keeps what was reported and why, without the text.
  await db.updateTable("reports").set({ note: "", additions: "[]" }).where("reporterId", "=", id).execute();
  await db
    .updateTable("reports")
    .set((eb) => ({ excerpt: "", subjectId: eb.case().when("kind", "=", "post").then(eb.ref("id")).else(eb.ref("subjectId")).end() }))
    .where("ownerId", "=", id)
    .execute();
  await forgetInEvents(tx, id);
}

async function forgetAddress({ db }: SiteTransaction, address: string): Promise<void> {
  await db.deleteFrom("subscribers").where("email", "=", address).execute();
  await db.deleteFrom("outbox").where("address", "=", address).execute();
  await db.deleteFrom("refused_addresses").where("address", "=", address).execute();
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
  "$ownerId",
];

/** Cursors refer to event numbers, so rows are emptied, not deleted. */
async function forgetInEvents(tx: SiteTransaction, id: string): Promise<void> {
  const names = (field: string) => holdsPiece(tx, "data", `${JSON.stringify(field)}:${JSON.stringify(id)}`);
  await tx.db
    .updateTable("events")
    .set({ data: "{}" })
    .where((eb) =>
      eb.or([
        ...memberFields.map(names),
        // Documents whose id is their owner's id.
        eb.and([eb.or([eb("type", "like", "profiles.%"), eb("type", "like", "users.%")]), names("id")]),
        eb.and([eb("type", "like", "reports.%"), holdsPiece(tx, "data", '"kind":"profile"'), names("subjectId")]),
      ]),
    )
    .execute();
}

/** Safe for JSON keys and values: quotes inside a string are escaped. */
function holdsPiece(tx: SiteTransaction, column: string, piece: string) {
  return contains(tx.engine, sql.ref(column), piece);
}

export async function forgetPosts(tx: SiteTransaction, postIds: string[]): Promise<void> {
  const names = postIds.map((id) => `post:${id}`);
  await tx.db.updateTable("events").set({ topic: "gone", data: "{}" }).where("topic", "in", names).execute();
  await tx.db
    .updateTable("audit_log")
    .set({ subject: "post:gone", before: null, after: null, salt: null })
    .where("subject", "in", names)
    .execute();
}

const eventsPerBatch = 1000;

export async function forgetPostsInEvents(site: Site, postIds: ReadonlySet<string>): Promise<void> {
  let last = 0;
  for (;;) {
    const rows = await site.db
      .selectFrom("events")
      .select(["number", "data"])
      .where("number", ">", last)
      .orderBy("number")
      .limit(eventsPerBatch)
      .execute();
    const about = rows.filter(({ data }) => Object.values(JSON.parse(data)).some((value) => postIds.has(String(value))));
    const numbers = about.map(({ number }) => number);
    if (numbers.length > 0) await site.db.updateTable("events").set({ data: "{}" }).where("number", "in", numbers).execute();
    const end = rows.at(-1);
    if (!end) return;
    last = end.number;
  }
}
