import { sql } from "kysely";
import { memberFacingKinds } from "../moderation/moderation-action.ts";
import { noticeAt } from "../moderation/notices.server.ts";
import { type BundledKind, kindNames, type NotificationKind } from "../notifications/kinds.ts";
import { requirePermission } from "../permissions.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";

type Mark = (tx: SiteTransaction, userId: string, key: string) => Promise<unknown>;

/** Marks one entry as read, by kind. Messages are read in their conversation. */
const markOne: Record<NotificationKind, Mark> = {
  follower: markBundle,
  like: markBundle,
  bookmark: markBundle,
  story: markPost,
  message: async () => {},
  decision: (tx, memberId, id) => markDecisionsOf(tx, memberId).where("id", "=", id).execute(),
  answer: (tx, reporterId, id) => markAnswersOf(tx, reporterId).where("id", "=", id).execute(),
};

/** Marks entries as read, also in the member's other tabs and devices. Ignores unknown ones and those of others. */
export async function markRead(site: Site, viewer: Viewer, ids: string[]): Promise<void> {
  requirePermission(viewer, "see own notifications", viewer?.id);
  if (!ids.some(readEntryId)) return;
  await transaction(site, async (tx) => {
    await markEntries(tx, viewer.id, ids);
    tx.changed("notification.changed", { userId: viewer.id });
  });
}

/** As `markRead`, without an event. */
export async function markEntries(tx: SiteTransaction, userId: string, ids: string[]): Promise<void> {
  for (const id of ids) {
    const entry = readEntryId(id);
    if (entry) await markOne[entry.kind](tx, userId, entry.key);
  }
}

function readEntryId(id: string): { kind: NotificationKind; key: string } | undefined {
  const [name = "", ...key] = id.split(":");
  const kind = kindNames.find((each) => each === name);
  return kind && !id.includes("\0") ? { kind, key: key.join(":") } : undefined;
}

async function markBundle(tx: SiteTransaction, userId: string, key: string): Promise<void> {
  if (/^\d{1,15}$/.test(key)) await markBundlesOf(tx, userId).where("number", "=", Number(key)).execute();
}

/** Inserts the row that marks the story as read: unread stories have none. */
async function markPost({ db, now }: SiteTransaction, userId: string, postId: string): Promise<void> {
  const story = db.selectFrom("posts").select("publishedAt").where("id", "=", postId).where("status", "=", "active");
  const at = (await story.executeTakeFirst())?.publishedAt;
  if (!at) return;
  await db
    .insertInto("notifications")
    .values({ userId, kind: "story", postId, since: at, updatedAt: at, readAt: now(), emailDueAt: null })
    .onConflict((conflict) => conflict.columns(["userId", "postId"]).where("kind", "=", sql.lit("story")).doNothing())
    .execute();
}

const bundled: BundledKind[] = ["follower", "like", "bookmark"];

/** Marks all entries, or all of one kind, up to a time in milliseconds as read; later ones stay unread. */
export async function markAllRead(
  site: Site,
  viewer: Viewer,
  { until, kind }: { until: number; kind?: NotificationKind | undefined },
): Promise<void> {
  requirePermission(viewer, "see own notifications", viewer?.id);
  const kinds = kind ? [kind] : kindNames;
  const at = Math.min(until, site.now());
  await transaction(site, async (tx) => {
    const bundles = bundled.filter((each) => kinds.includes(each));
    if (bundles.length > 0) await markBundlesOf(tx, viewer.id).where("kind", "in", bundles).where("updatedAt", "<=", at).execute();
    if (kinds.includes("story")) await markPosts(tx, viewer.id, at);
    if (kinds.includes("decision"))
      await markDecisionsOf(tx, viewer.id).where("kind", "in", memberFacingKinds).where(noticeAt, "<=", at).execute();
    if (kinds.includes("answer"))
      await markAnswersOf(tx, viewer.id).where("answer", "<>", sql.lit("")).where("updatedAt", "<=", at).execute();
    tx.changed("notification.changed", { userId: viewer.id });
  });
}

/** The time never decreases. */
async function markPosts({ db }: SiteTransaction, userId: string, until: number): Promise<void> {
  await db
    .insertInto("notification_settings")
    .values({ userId, storiesReadAt: until })
    .onConflict((conflict) =>
      conflict.column("userId").doUpdateSet({ storiesReadAt: until }).where("notification_settings.storiesReadAt", "<", until),
    )
    .execute();
  // Rows of single stories are now redundant.
  const opened = db.deleteFrom("notifications").where("userId", "=", userId).where("kind", "=", sql.lit("story"));
  await opened.where("updatedAt", "<=", until).execute();
}

function markBundlesOf({ db, now }: SiteTransaction, userId: string) {
  return db.updateTable("notifications").set({ readAt: now() }).where("userId", "=", userId).where("readAt", "is", null);
}

function markDecisionsOf({ db, now }: SiteTransaction, memberId: string) {
  return db.updateTable("moderation_actions").set({ seenAt: now() }).where("memberId", "=", memberId).where("seenAt", "is", null);
}

function markAnswersOf({ db, now }: SiteTransaction, reporterId: string) {
  return db.updateTable("reports").set({ answerSeenAt: now() }).where("reporterId", "=", reporterId).where("answerSeenAt", "is", null);
}
