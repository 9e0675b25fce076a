import { sql } from "kysely";
import { forUpdate } from "#platform/database/locks.ts";
import { escapeMarkdown } from "#platform/mail/email-body.ts";
import { days } from "#platform/time.ts";
import { excerpt } from "../format.ts";
import { sendEmail } from "../mail/send-email.server.ts";
import { isVisibleActor } from "../notifications/bundle-sources.server.ts";
import { quietHoursEnd } from "../notifications/preferences.server.ts";
import { unsubscribeLink } from "../notifications/stop-emails.server.ts";
import { newPostEmailDelayMs } from "../posts/visibility.server.ts";
import { queueNewPostPushes } from "../push/push-queue.server.ts";
import { type Site, type SiteTransaction, transaction } from "../site.ts";
import { emailOf } from "./email-text.server.ts";

/** Small enough that a batch hardly delays other writers. */
const membersPerBatch = 100;
/** Older stories aren't announced: emails were delayed, or the story was imported with its date. */
const maxAgeMs = days(1);

/**
 * Emails newly published stories to followers who chose emails at once, and queues their pushes. Several processes may run it at the same
 * time; another one continues after a crash. @returns the number of emails sent.
 */
export async function sendNewPostEmails(site: Site): Promise<number> {
  const due = await site.db.selectFrom("story_emails").select("postId").where("dueAt", "<=", site.now()).orderBy("dueAt").execute();
  let sent = 0;
  for (const { postId } of due)
    for (let more = true; more; ) {
      const batch = await transaction(site, (tx) => sendBatch(tx, postId));
      sent += batch.sent;
      more = batch.more;
    }
  return sent;
}

async function sendBatch(tx: SiteTransaction, postId: string): Promise<{ sent: number; more: boolean }> {
  const own = tx.db.selectFrom("story_emails").select(["lastUserId", "lastDevice"]).where("postId", "=", postId);
  const row = await forUpdate(tx, own).executeTakeFirst();
  const post = row && (await findPost(tx, postId));
  if (row && !post && (await isWithdrawn(tx, postId))) {
    const dueAt = tx.now() + newPostEmailDelayMs;
    await tx.db.updateTable("story_emails").set({ dueAt }).where("postId", "=", postId).execute();
    return { sent: 0, more: false };
  }
  const members = post && tx.settings.emailNotifications ? await findMembers(tx, post.userId, row.lastUserId) : [];
  for (const member of members) if (post) await write(tx, post, member);
  const lastDevice = post && (await queueNewPostPushes(tx, post, Number(row.lastDevice)));
  const lastUserId = members.at(-1)?.userId ?? row?.lastUserId ?? "";
  const more = members.length === membersPerBatch || lastDevice !== undefined;
  // The maximum marks pushes as complete while emails continue.
  const position = { lastUserId, lastDevice: lastDevice ?? Number.MAX_SAFE_INTEGER };
  if (more) await tx.db.updateTable("story_emails").set(position).where("postId", "=", postId).execute();
  else await tx.db.deleteFrom("story_emails").where("postId", "=", postId).execute();
  return { sent: members.length, more };
}

type NewPost = { id: string; title: string; summary: string; userId: string; userName: string };

async function findPost({ db, now }: SiteTransaction, postId: string): Promise<NewPost | undefined> {
  return db
    .selectFrom("posts")
    .leftJoin("profiles", "profiles.userId", "posts.userId")
    .select((eb) => [
      "posts.id",
      "posts.title",
      "posts.summary",
      "posts.userId",
      eb.fn.coalesce("profiles.userName", "posts.userName").as("userName"),
    ])
    .where("posts.id", "=", postId)
    .where("posts.status", "=", "active")
    .where("posts.publishedAt", ">", now() - maxAgeMs)
    .executeTakeFirst();
}

/** Unpublished or held, but may be published again before it is too old to be announced. */
async function isWithdrawn({ db, now }: SiteTransaction, postId: string): Promise<boolean> {
  const post = db.selectFrom("posts").select("id").where("id", "=", postId).where("status", "=", "inactive");
  return (await post.where("publishedAt", ">", now() - maxAgeMs).executeTakeFirst()) !== undefined;
}

type Follower = { userId: string; email: string; name: string };

/** Begins with the preferences, which are fewer than the followers. */
async function findMembers({ db, now }: SiteTransaction, authorId: string, after: string): Promise<Follower[]> {
  return db
    .selectFrom("notification_preferences as n")
    .innerJoin("follows as f", (join) => join.onRef("f.followerId", "=", "n.userId").on("f.followedId", "=", authorId))
    .innerJoin("users as u", "u.id", "n.userId")
    .leftJoin("profiles as p", "p.userId", "u.id")
    .leftJoin("refused_addresses as r", "r.address", "u.email")
    .select((eb) => ["n.userId", "u.email", eb.fn.coalesce("p.userName", "u.name").as("name")])
    .where("n.kind", "=", "story")
    .where("n.email", "=", "at-once")
    .where("n.userId", ">", after)
    .where("u.emailVerified", "=", sql.lit(true))
    .where("r.address", "is", null)
    .where(isVisibleActor(sql`${authorId}`, sql.ref("n.userId"), now()))
    .orderBy("n.userId")
    .limit(membersPerBatch)
    .execute();
}

async function write(
  tx: SiteTransaction,
  { id, title, summary, userId: authorId, userName }: NewPost,
  { userId, email: to, name }: Follower,
): Promise<void> {
  const { unsubscribeUrl, headers } = await unsubscribeLink(tx, userId, "story");
  const link = `${tx.url}/post/${encodeURIComponent(id)}`;
  const intro = `${escapeMarkdown(userName)} has published a story:`;
  // Account deletion finds the email by this link.
  const more = `[More by ${escapeMarkdown(userName)}](${tx.url}/profile/${authorId})`;
  const email = emailOf(tx, { name, intro, unsubscribeUrl }, [
    `**[${escapeMarkdown(title)}](${link})**\\\n${escapeMarkdown(excerpt(summary))}`,
    more,
  ]);
  await sendEmail(tx, {
    ...{ kind: "stories", userId, to, subject: `${userName}: ${title}`, headers, notBefore: await quietHoursEnd(tx, userId) },
    ...email,
  });
}
