import { lockUntilCommit } from "#platform/database/locks.ts";
import { requirePermission } from "../permissions.ts";
import { Conflict, Invalid, NotFound, SignInRequired, TooMany } from "../refusals.ts";
import { appealReason, excerptMaxLength } from "../reports/report.ts";
import { insertReport, lockReport, settleReport } from "../reports/reports.server.ts";
import { type Site, transaction, type Viewer } from "../site.ts";
import { actionTexts, isMemberFacing, maxAppeals, moderationActionNames, undoProblem } from "./moderation-action.ts";
import { findModerationAction } from "./moderation-actions.server.ts";
import { undoInTransaction } from "./undo.server.ts";

/**
 * Appears in the report queue. @throws SignInRequired, NotFound for another member's action, Conflict if an appeal is open or nothing can
 * be undone, TooMany after three.
 */
export async function appeal(site: Site, viewer: Viewer, actionId: string, text: string): Promise<void> {
  if (!viewer) throw new SignInRequired();
  const moderationAction = await findModerationAction(site, actionId);
  if (!moderationAction || !isMemberFacing(moderationAction.kind) || moderationAction.memberId !== viewer.id) throw new NotFound();
  requirePermission(viewer, "appeal", moderationAction.memberId);
  const problem = undoProblem(moderationAction, site.now());
  if (problem) throw new Conflict(problem);
  const excerpt = `${moderationActionNames[moderationAction.kind]}: ${moderationAction.title}\n${moderationAction.reason}`;
  await transaction(site, async (tx) => {
    const about = tx.db.selectFrom("reports").select("status").where("kind", "=", "appeal").where("subjectId", "=", actionId);
    await lockUntilCommit(tx, `appeal ${actionId}`);
    const earlier = await about.execute();
    if (earlier.some(({ status }) => status === "pending")) throw new Conflict(actionTexts.appealOpen);
    if (earlier.length >= maxAppeals) throw new TooMany(actionTexts.appealsSpent);
    const { id } = viewer;
    await insertReport(tx, {
      ...{ kind: "appeal", subjectId: actionId, ownerId: id, reporterId: id, reason: appealReason, note: text },
      excerpt: Array.from(excerpt).slice(0, excerptMaxLength).join(""),
    });
  });
}

/** Granting undoes the action. @throws NotFound; Invalid for other reports; Conflict if already answered or no longer undoable. */
export async function answerAppeal(
  site: Site,
  viewer: Viewer,
  reportId: string,
  { grant, answer }: { grant: boolean; answer: string },
): Promise<void> {
  requirePermission(viewer, "handle reports");
  await transaction(site, async (tx) => {
    const report = await lockReport(tx, reportId);
    if (report.kind !== "appeal") throw new Invalid("This isn’t an appeal");
    if (report.status !== "pending") throw new Conflict("This appeal was already answered");
    const moderationAction = await findModerationAction(tx, report.subjectId);
    if (grant && moderationAction?.undoneAt === null) await undoInTransaction(tx, viewer, report.subjectId, false);
    await settleReport(tx, viewer, report, grant ? "resolved" : "dismissed", answer);
  });
}
