import { sql } from "kysely";
import { memberFacingKinds } from "../moderation/moderation-action.ts";
import { noticeAt } from "../moderation/notices.server.ts";
import { type BundledKind, kindNames, type NotificationKind } from "../notifications/kinds.ts";
import { requirePermission } from "../permissions.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";

type Mark = (tx: SiteTransaction, userId: string, key: string) => Promise<unknown>;

/** How one of each kind is read. Messages are read in their conversation. */
const markOne: Record<NotificationKind, Mark> = {
  follower: readBundle,
  like: readBundle,
  bookmark: readBundle,
  story: readStory,
  message: async () => {},
  decision: ({ db, now }, memberId, id) =>
    db
      .updateTable("moderation_actions")
      .set({ seenAt: now() })
      .where("id", "=", id)
      .where("memberId", "=", memberId)
      .where("seenAt", "is", null)
      .execute(),
  answer: ({ db, now }, reporterId, id) =>
    db
      .updateTable("reports")
      .set({ answerSeenAt: now() })
      .where("id", "=", id)
      .where("reporterId", "=", reporterId)
      .where("answerSeenAt", "is", null)
      .execute(),
};

/** Marks entries as read, here and in the member's other tabs and devices; those of others and unknown ones are left alone. */
export async function markRead(site: Site, viewer: Viewer, ids: string[]): Promise<void> {
  requirePermission(viewer, "see own notifications", viewer?.id);
  const marks = ids.flatMap((id) => {
    const [kind = "", ...key] = id.split(":");
    const known = kindNames.find((each) => each === kind);
    return known && !id.includes("\0") ? [{ kind: known, key: key.join(":") }] : [];
  });
  if (marks.length === 0) return;
  await transaction(site, async (tx) => {
    for (const { kind, key } of marks) await markOne[kind](tx, viewer.id, key);
    tx.changed("notification.changed", { userId: viewer.id });
  });
}

async function readBundle({ db, now }: SiteTransaction, userId: string, key: string): Promise<void> {
  if (!/^\d{1,15}$/.test(key)) return;
  const own = db.updateTable("notifications").set({ readAt: now() }).where("number", "=", Number(key)).where("userId", "=", userId);
  await own.where("readAt", "is", null).execute();
}

/** A story has no row of its own until then. */
async function readStory({ db, now }: SiteTransaction, userId: string, postId: string): Promise<void> {
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

/** Marks all as read that had come until then, in milliseconds, or all of one kind: what comes meanwhile stays new. */
export async function markAllRead(
  site: Site,
  viewer: Viewer,
  { until, kind }: { until: number; kind?: NotificationKind | undefined },
): Promise<void> {
  requirePermission(viewer, "see own notifications", viewer?.id);
  const kinds = kind ? [kind] : kindNames;
  const at = Math.min(until, site.now());
  await transaction(site, async (tx) => {
    await readBundlesUntil(
      tx,
      viewer.id,
      bundled.filter((each) => kinds.includes(each)),
      at,
    );
    if (kinds.includes("story")) await readStoriesUntil(tx, viewer.id, at);
    if (kinds.includes("decision")) await readDecisionsUntil(tx, viewer.id, at);
    if (kinds.includes("answer")) await readAnswersUntil(tx, viewer.id, at);
    tx.changed("notification.changed", { userId: viewer.id });
  });
}

async function readBundlesUntil({ db, now }: SiteTransaction, userId: string, kinds: BundledKind[], until: number): Promise<void> {
  if (kinds.length === 0) return;
  const own = db.updateTable("notifications").set({ readAt: now() }).where("userId", "=", userId).where("readAt", "is", null);
  await own.where("kind", "in", kinds).where("updatedAt", "<=", until).execute();
}

/** A page that was loaded earlier takes nothing back. */
async function readStoriesUntil({ db }: SiteTransaction, userId: string, until: number): Promise<void> {
  await db
    .insertInto("notification_settings")
    .values({ userId, storiesReadAt: until })
    .onConflict((conflict) =>
      conflict.column("userId").doUpdateSet({ storiesReadAt: until }).where("notification_settings.storiesReadAt", "<", until),
    )
    .execute();
  // Rows of single stories say nothing any more that this doesn't.
  const opened = db.deleteFrom("notifications").where("userId", "=", userId).where("kind", "=", sql.lit("story"));
  await opened.where("updatedAt", "<=", until).execute();
}

async function readDecisionsUntil({ db, now }: SiteTransaction, memberId: string, until: number): Promise<void> {
  const own = db.updateTable("moderation_actions").set({ seenAt: now() }).where("memberId", "=", memberId).where("seenAt", "is", null);
  await own.where("kind", "in", memberFacingKinds).where(noticeAt, "<=", until).execute();
}

async function readAnswersUntil({ db, now }: SiteTransaction, reporterId: string, until: number): Promise<void> {
  const own = db.updateTable("reports").set({ answerSeenAt: now() }).where("reporterId", "=", reporterId).where("answerSeenAt", "is", null);
  await own.where("answer", "<>", sql.lit("")).where("updatedAt", "<=", until).execute();
}
