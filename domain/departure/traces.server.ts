import { sql } from "kysely";
import type { Member, Site, SiteTransaction } from "../site.ts";

/**
 * Columns that name a member without a foreign key that follows the account: what happens to each when it is deleted.
 * A test finds every column that looks as if it named somebody and is neither here nor bound to `users`.
 */
export const tracesForgotten: Record<string, string> = {
  "acts.moderatorName": "replaced: what was decided stays, by whom does not",
  "adjusted_likes.userId": "kept: it is no account's",
  "attempts.key": "removed where it holds the id or the address",
  "audit_log.userName": "replaced: what was done and when stays, by whom does not",
  "departed.userId": "kept: it says nothing but that there was an account",
  "events.data": "emptied where it holds the id, and a story's topic is forgotten",
  "subscribers.email": "removed: the newsletter goes to nobody who left",
  "posts.heldBy": "kept with the story: it names an act",
  "users.email": "removed with the account",
  "users.emailVerified": "removed with the account",
  "posts.searchAuthor": "removed with the story",
  "posts.userName": "removed with the story",
  "profiles.userName": "removed with the profile",
  "verifications.value": "removed where it holds the id or the address",
  "views.viewerKey": "removed where it is the id",
};

const somebody = "Deleted member";

/** Removes what names the member in tables that don't belong to them. */
export async function forgetTraces(tx: SiteTransaction, { id, email }: Member): Promise<void> {
  const { db } = tx;
  const holds = (column: string, text: string) =>
    tx.engine === "sqlite" ? sql<boolean>`instr(${sql.ref(column)}, ${text}) > 0` : sql<boolean>`strpos(${sql.ref(column)}, ${text}) > 0`;
  const holdsEither = (column: string) => sql<boolean>`(${holds(column, id)} or ${holds(column, email)})`;
  await db.deleteFrom("attempts").where(holdsEither("key")).execute();
  await db.deleteFrom("verifications").where(holdsEither("value")).execute();
  await db.deleteFrom("views").where("viewerKey", "=", id).execute();
  await db.deleteFrom("subscribers").where("email", "=", email).execute();
  await db.updateTable("audit_log").set({ userName: somebody }).where("userId", "=", id).execute();
  await db
    .updateTable("audit_log")
    .set({ before: null, after: null })
    .where((eb) => eb.or([eb("subject", "=", `user:${id}`), holdsEither("before"), holdsEither("after")]))
    .execute();
  await db.updateTable("acts").set({ moderatorName: somebody }).where("moderatorId", "=", id).execute();
  // What was reported and why stays for the administrators, what was said there does not.
  await db.updateTable("reports").set({ note: "" }).where("reporterId", "=", id).execute();
  await db
    .updateTable("reports")
    .set((eb) => ({ excerpt: "", subjectId: eb.case().when("kind", "=", "post").then(eb.ref("id")).else(eb.ref("subjectId")).end() }))
    .where("ownerId", "=", id)
    .execute();
  // Emptied rather than removed: cursors count on their numbers.
  await db.updateTable("events").set({ data: "{}" }).where(holds("data", id)).execute();
}

/** A story's id is its title. Its events stay, as cursors count on their numbers, and so does what was done to it. */
export async function forgetStories(tx: SiteTransaction, postIds: string[]): Promise<void> {
  const names = postIds.map((id) => `post:${id}`);
  await tx.db.updateTable("events").set({ topic: "gone", data: "{}" }).where("topic", "in", names).execute();
  await tx.db.updateTable("audit_log").set({ subject: "post:gone", before: null, after: null }).where("subject", "in", names).execute();
}

const atOnce = 1000;

/** Empties the events that name one of the stories, whatever topic they are on. */
export async function forgetStoriesInEvents(site: Site, postIds: ReadonlySet<string>): Promise<void> {
  let last = 0;
  for (;;) {
    const rows = await site.db
      .selectFrom("events")
      .select(["number", "data"])
      .where("number", ">", last)
      .orderBy("number")
      .limit(atOnce)
      .execute();
    const about = rows.filter(({ data }) => Object.values(JSON.parse(data)).some((value) => postIds.has(String(value))));
    const numbers = about.map(({ number }) => number);
    if (numbers.length > 0) await site.db.updateTable("events").set({ data: "{}" }).where("number", "in", numbers).execute();
    const end = rows.at(-1);
    if (!end) return;
    last = end.number;
  }
}
