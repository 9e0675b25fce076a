import { mustBeAllowed } from "../permissions.ts";
import { Conflict, Invalid, NotFound, TooMany } from "../refusals.ts";
import { appealReason, excerptMaxLength } from "../reports/report.ts";
import { insertReport, lockReport, settleReport } from "../reports/reports.server.ts";
import { type Site, transaction, type Viewer } from "../site.ts";
import { isMemberFacing, maxAppeals, moderationActionNames, moderationWords, undoProblem } from "./moderation-action.ts";
import { findModerationAction } from "./moderation-actions.server.ts";
import { undoInside } from "./undo.server.ts";

/**
 * Asks the administrators to decide something differently that they, or a rule of theirs, did to the viewer. It is in their queue among
 * the reports. @throws NotFound for what concerns someone else, Conflict while an earlier one waits or when there is nothing left to undo,
 * TooMany after three against the same.
 */
export async function appeal(site: Site, viewer: Viewer, actionId: string, text: string): Promise<void> {
  const moderationAction = await findModerationAction(site, actionId);
  if (!moderationAction || !isMemberFacing(moderationAction.kind) || moderationAction.memberId !== viewer?.id) throw new NotFound();
  mustBeAllowed(viewer, "appeal", moderationAction.memberId);
  const problem = undoProblem(moderationAction, site.now());
  if (problem) throw new Conflict(problem);
  const excerpt = `${moderationActionNames[moderationAction.kind]}: ${moderationAction.title}\n${moderationAction.reason}`;
  await transaction(site, async (tx) => {
    const about = tx.db.selectFrom("reports").select("status").where("kind", "=", "appeal").where("subjectId", "=", actionId);
    const earlier = await about.execute();
    if (earlier.some(({ status }) => status === "pending")) throw new Conflict(moderationWords.appealOpen);
    if (earlier.length >= maxAppeals) throw new TooMany(moderationWords.appealsSpent);
    const { id } = viewer;
    await insertReport(tx, {
      ...{ kind: "appeal", subjectId: actionId, ownerId: id, reporterId: id, reason: appealReason, note: text },
      excerpt: Array.from(excerpt).slice(0, excerptMaxLength).join(""),
    });
  });
}

/**
 * Grants an appeal, which undoes what it is about, or refuses it; both with an answer that the member reads.
 * @throws NotFound; Invalid for what is no appeal; Conflict when it was answered before, or can't be undone any more.
 */
export async function answerAppeal(
  site: Site,
  viewer: Viewer,
  reportId: string,
  { grant, answer }: { grant: boolean; answer: string },
): Promise<void> {
  mustBeAllowed(viewer, "handle reports");
  await transaction(site, async (tx) => {
    const report = await lockReport(tx, reportId);
    if (report.kind !== "appeal") throw new Invalid("This isn’t an appeal");
    if (report.status !== "pending") throw new Conflict("This appeal was already answered");
    const moderationAction = await findModerationAction(tx, report.subjectId);
    if (grant && moderationAction?.undoneAt === null) await undoInside(tx, viewer, report.subjectId, false);
    await settleReport(tx, viewer, report, grant ? "resolved" : "dismissed", answer);
  });
}
