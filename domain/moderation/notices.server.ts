import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { ReportRow } from "#platform/database/schema.ts";
import { requirePermission } from "../permissions.ts";
import { NotFound } from "../refusals.ts";
import type { ReportStatus } from "../reports/report.ts";
import { type Site, transaction, type Viewer } from "../site.ts";
import { isAboutViewer, markOwnCases } from "../staff/own-cases.server.ts";
import { isMemberFacing, type MemberFacingKind, type ModerationActionKind, memberFacingKinds } from "./moderation-action.ts";
import { findModerationAction, type ModerationAction } from "./moderation-actions.server.ts";
import { type RestoredState, restoredTo } from "./undone-texts.ts";
import { markAnswersSeen } from "./unseen-notices.server.ts";

/** A moderation action as its member sees it, without the moderator. */
export type Notice = {
  number: number;
  id: string;
  kind: MemberFacingKind;
  postId: string | null;
  title: string;
  reason: string;
  byRule: boolean;
  createdAt: number;
  endsAt: number | null;
  undoneAt: number | null;
  restored: RestoredState;
  seen: boolean;
};

export type Appeal = { id: string; text: string; status: ReportStatus; answer: string; createdAt: number; updatedAt: number };

export const noticeAt = sql<number>`coalesce("undoneAt", "createdAt")`;

const maxNotices = 50;
const maxOwnDecisions = 1_000;

type ListPart = { limit?: number; before?: RawBuilder<SqlBool> | undefined; onlyUnread?: boolean };

export async function listNotices(
  site: Site,
  viewer: Viewer,
  { limit = maxNotices, before, onlyUnread }: ListPart = {},
): Promise<Notice[]> {
  requirePermission(viewer, "read a decision", viewer?.id);
  let query = site.db.selectFrom("moderation_actions").selectAll().where("memberId", "=", viewer.id).where("kind", "in", memberFacingKinds);
  if (before) query = query.where(before);
  if (onlyUnread) query = query.where("seenAt", "is", sql.lit(null));
  const rows = await query.orderBy(noticeAt, "desc").orderBy("number", "desc").limit(limit).execute();
  return rows.map((row) => noticeOf({ ...row, before: JSON.parse(row.before) }));
}

export type NoticePage = { notice: Notice; appeals: Appeal[]; cleared: Record<string, string> };

/** Marks it as seen. `appeals` are oldest first. @throws NotFound for another member's notice. */
export async function readNotice(site: Site, viewer: Viewer, id: string): Promise<NoticePage> {
  const moderationAction = await findModerationAction(site, id);
  requirePermission(viewer, "read a decision", viewer?.id);
  if (!moderationAction || !isMemberFacing(moderationAction.kind) || moderationAction.memberId !== viewer.id) throw new NotFound();
  const cleared =
    moderationAction.kind === "clear"
      ? Object.entries(moderationAction.before).filter(([name, value]) => name !== "profileImage" && value)
      : [];
  const appeals = await listAppeals(site, id);
  if (moderationAction.seenAt === null || appeals.some(({ answerSeenAt }) => answerSeenAt === null))
    await transaction(site, async (tx) => {
      await tx.db.updateTable("moderation_actions").set({ seenAt: tx.now() }).where("id", "=", id).where("seenAt", "is", null).execute();
      await markAnswersSeen(tx, viewer.id, id);
      tx.changed("notification.changed", { userId: viewer.id });
    });
  const words = Object.fromEntries(cleared.map(([name, value]) => [name, String(value)]));
  return { notice: noticeOf(moderationAction), appeals: appeals.map(({ answerSeenAt: _seen, ...appeal }) => appeal), cleared: words };
}

async function listAppeals(site: Site, actionId: string): Promise<(Appeal & { answerSeenAt: number | null })[]> {
  return site.db
    .selectFrom("reports")
    .select(["id", "note as text", "status", "answer", "answerSeenAt", "createdAt", "updatedAt"])
    .where("kind", "=", "appeal")
    .where("subjectId", "=", actionId)
    .orderBy("number")
    .execute();
}

function noticeOf({ number, id, kind, subject, title, reason, createdAt, endsAt, undoneAt, ...action }: ModerationAction): Notice {
  const postId = subject.startsWith("post:") ? subject.slice("post:".length) : null;
  const state = { byRule: action.ruleId !== null, restored: restoredTo(action.before), seen: action.seenAt !== null };
  return { number, id, kind: kind as MemberFacingKind, postId, title, reason, createdAt, endsAt, undoneAt, ...state };
}

export async function listOwnDecisions(site: Site, viewer: Viewer) {
  const notices = await listNotices(site, viewer, { limit: maxOwnDecisions });
  const ids = notices.map(({ id }) => id);
  if (ids.length === 0) return [];
  const appeals = await site.db
    .selectFrom("reports")
    .select(["subjectId", "note as text", "status", "answer", "createdAt"])
    .where("kind", "=", "appeal")
    .where("subjectId", "in", ids)
    .orderBy("number")
    .execute();
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return notices.map(({ id, kind, postId, title, reason, createdAt, endsAt, undoneAt }) => ({
    ...{ kind, story: postId, title, reason, at: time(createdAt), until: time(endsAt), undone: time(undoneAt) },
    appeals: appeals
      .filter(({ subjectId }) => subjectId === id)
      .map(({ text, status, answer, createdAt: at }) => ({ text, status, answer, at: time(at) })),
  }));
}

export async function listAnswers(site: Site, viewer: Viewer, { limit = maxNotices, before, onlyUnread }: ListPart = {}) {
  requirePermission(viewer, "read a decision", viewer?.id);
  let query = site.db
    .selectFrom("reports")
    .select(["number", "id", "kind", "subjectId", "excerpt", "status", "answer", "answerSeenAt", "updatedAt"])
    .where("reporterId", "=", viewer.id)
    .where("answer", "<>", sql.lit(""));
  if (before) query = query.where(before);
  if (onlyUnread) query = query.where("answerSeenAt", "is", sql.lit(null));
  return query.orderBy("updatedAt", "desc").orderBy("number", "desc").limit(limit).execute();
}

export async function findPostNotice(site: Site, postId: string): Promise<Notice | null> {
  const row = await site.db
    .selectFrom("moderation_actions")
    .selectAll()
    .where("subject", "=", `post:${postId}`)
    .where("kind", "in", ["hold", "unpublish", "delete", "publish"] satisfies ModerationActionKind[])
    .where("undoneAt", "is", sql.lit(null))
    // Those of an erased story have ended; another one may have its address.
    .where((eb) => eb.or([eb("endsAt", "is", null), eb("endsAt", ">", site.now())]))
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && isMemberFacing(row.kind) ? noticeOf({ ...row, before: {} }) : null;
}

export async function listModerationActionsAbout(site: Site, viewer: Viewer, { kind, subjectId }: Pick<ReportRow, "kind" | "subjectId">) {
  requirePermission(viewer, "handle reports");
  const appealed = kind === "appeal" ? await findModerationAction(site, subjectId) : undefined;
  return listModerationActions(site, viewer, appealed?.subject ?? `${kind === "profile" ? "user" : kind}:${subjectId}`, appealed);
}

export type ListedModerationAction = Omit<ModerationAction, "before"> & { by: number | null; isOwnCase: boolean };

/** Of stories that had the same address one after another, those about the current one, or about the one of `appealed`. */
export async function listModerationActions(
  site: Site,
  viewer: Viewer,
  subject: string,
  appealed?: ModerationAction,
): Promise<ListedModerationAction[]> {
  requirePermission(viewer, "handle reports");
  let query = site.db.selectFrom("moderation_actions").selectAll().where("subject", "=", subject);
  const post = await site.db
    .selectFrom("posts")
    .select(["userId", "createdAt", "publishedAt"])
    .where("id", "=", subject.startsWith("post:") ? subject.slice("post:".length) : "")
    .executeTakeFirst();
  const memberId = appealed?.memberId ?? post?.userId;
  if (memberId) query = query.where("memberId", "=", memberId);
  const since = post?.createdAt ?? post?.publishedAt ?? 0;
  if (post) query = query.where("createdAt", appealed && appealed.createdAt < since ? "<" : ">=", since);
  const rows = await query.orderBy("number", "desc").limit(maxNotices).execute();
  const moderationActions = rows.map(({ before, ...moderationAction }) => ({
    ...moderationAction,
    by: moderationAction.kind === "likes" || moderationAction.kind === "views" ? Number(JSON.parse(before).by) : null,
  }));
  return markOwnCases(site, viewer, moderationActions, (moderationAction) => isAboutViewer(viewer, moderationAction));
}
