import { restoreCounts } from "#domain/moderation/posts/adjust-counts.server.ts";
import { restoreProfile } from "#domain/moderation/profiles/reset-profile.server.ts";
import { revert } from "#domain/posts/visibility.server.ts";
import { isOutage } from "#platform/database/errors.ts";
import { forUpdate } from "#platform/database/locks.ts";
import { recordAudit } from "../audit/audit.server.ts";
import { requirePermission } from "../permissions.ts";
import { pushDelayMs, queuePush } from "../push/push-queue.server.ts";
import { Conflict, isRefusal, NotAllowed, NotFound } from "../refusals.ts";
import { type Member, type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { ownCaseText } from "../staff/own-case-text.ts";
import { isAboutViewer, markOwnCases } from "../staff/own-cases.server.ts";
import { isMemberFacing, undoPermission, undoProblem } from "./moderation-action.ts";
import { findModerationAction } from "./moderation-actions.server.ts";
import { emailUndoneAction } from "./moderation-emails.server.ts";
import { liftSuspension } from "./suspensions.server.ts";
import { restoredTo } from "./undone-texts.ts";

/**
 * Within 30 days; active holds and suspensions at any time. @throws NotFound; Conflict if it can't be undone; NotAllowed for what others
 * decided about the viewer.
 */
export async function undoModerationAction(site: Site, viewer: Viewer, id: string): Promise<void> {
  requirePermission(viewer, "undo a decision");
  await requireOtherCase(site, viewer, id);
  await transaction(site, (tx) => undoInTransaction(tx, viewer, id));
}

async function requireOtherCase(site: Site, viewer: Member, id: string): Promise<void> {
  const found = await findModerationAction(site, id);
  const [checked] = await markOwnCases(site, viewer, found ? [found] : [], (each) => isAboutViewer(viewer, each));
  if (checked?.isOwnCase) throw new NotAllowed(ownCaseText, { kind: "own-case" });
}

/** `notifies`: false for appeals, whose answer tells the member. @throws NotFound, Conflict. */
export async function undoInTransaction(tx: SiteTransaction, viewer: Member, id: string, notifies = true): Promise<void> {
  await lockAction(tx, id);
  const moderationAction = await findModerationAction(tx, id);
  if (!moderationAction) throw new NotFound();
  const problem = undoProblem(moderationAction, tx.now());
  if (problem) throw new Conflict(problem);
  requirePermission(viewer, undoPermission(moderationAction.kind));
  if (moderationAction.kind === "suspend") await liftSuspension(tx, moderationAction);
  else if (moderationAction.kind === "clear") await restoreProfile(tx, moderationAction);
  else if (moderationAction.kind === "likes" || moderationAction.kind === "views") await restoreCounts(tx, moderationAction);
  else await revert(tx, viewer, moderationAction, !notifies);
  await tx.db
    .updateTable("moderation_actions")
    .set({ undoneAt: tx.now(), seenAt: notifies ? null : tx.now() })
    .where("id", "=", id)
    .execute();
  await recordAudit(tx, viewer, {
    action: "act.undone",
    subject: moderationAction.subject,
    actionId: id,
    before: { done: moderationAction.kind },
    after: { title: moderationAction.title },
  });
  tx.changed("moderation.undone", { id });
  const { kind, memberId } = moderationAction;
  if (!isMemberFacing(kind)) return;
  tx.changed("notification.changed", { userId: memberId });
  if (!notifies) return;
  await queuePush(tx, memberId, { kind: "decision", key: id }, pushDelayMs.none);
  const { title, ruleId, before } = moderationAction;
  await emailUndoneAction(tx, { id, kind, title, memberId, byRule: ruleId !== null, restored: restoredTo(before) });
}

/** Its story first, as erasing one does: moderators could deadlock otherwise. */
async function lockAction(tx: SiteTransaction, id: string): Promise<void> {
  const subject = (await findModerationAction(tx, id))?.subject ?? "";
  const post = tx.db.selectFrom("posts").select("id").where("id", "=", subject.slice("post:".length));
  if (subject.startsWith("post:")) await forUpdate(tx, post).execute();
  await forUpdate(tx, tx.db.selectFrom("moderation_actions").select("number").where("id", "=", id)).execute();
}

export type BulkUndoResult = { successful: number; failed: number };

export async function undoBatch(site: Site, viewer: Viewer, batchId: string): Promise<BulkUndoResult> {
  requirePermission(viewer, "undo a decision");
  const moderationActions = await site.db
    .selectFrom("moderation_actions")
    .select("id")
    .where("batchId", "=", batchId)
    .where("undoneAt", "is", null)
    .orderBy("number")
    .execute();
  const done = { successful: 0, failed: 0 };
  for (const { id } of moderationActions) done[(await tryToUndo(site, viewer, id)) ? "successful" : "failed"]++;
  return done;
}

async function tryToUndo(site: Site, viewer: Viewer, id: string): Promise<boolean> {
  try {
    await undoModerationAction(site, viewer, id);
    return true;
  } catch (error) {
    if (!isRefusal(error) && !isOutage(error)) site.log.error({ err: error, id }, "a moderation action could not be undone");
    return false;
  }
}
