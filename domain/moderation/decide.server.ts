import { resetProfile } from "#domain/moderation/profiles/reset-profile.server.ts";
import { holdPost } from "#domain/posts/visibility.server.ts";
import { deleteMessage } from "../messages/deleting.server.ts";
import { requirePermission } from "../permissions.ts";
import { deletePost } from "../posts/posts.server.ts";
import { setPostStatus } from "../posts/update-post.server.ts";
import { Conflict, Invalid, NotAllowed } from "../refusals.ts";
import type { ReportStatus } from "../reports/report.ts";
import { findReport, type Report } from "../reports/report-reads.server.ts";
import { setReportStatus } from "../reports/reports.server.ts";
import type { Site, Viewer } from "../site.ts";
import { ownCaseText } from "../staff/own-case-text.ts";
import { answerAppeal } from "./appeals.server.ts";
import { type Decision, decisionsOn, wouldStayHeld } from "./decision.ts";
import { actionTexts } from "./moderation-action.ts";
import { undoModerationAction } from "./undo.server.ts";

export type DecisionInput = { decision: Decision; reason: string; answer: string };

/**
 * Applies a decision to the reported thing, settles the report and notifies both sides. Holding keeps the report open. @throws Invalid for
 * a decision that doesn't apply, NotFound, NotAllowed for a report about the viewer.
 */
export async function decide(site: Site, viewer: Viewer, id: string, { decision, reason, answer }: DecisionInput): Promise<void> {
  requirePermission(viewer, "handle reports");
  const report = await findDecidable(site, viewer, id);
  if (!decisionsOn(report).includes(decision)) throw new Invalid(actionTexts.notHere, "decision");
  if (decision === "grant" || decision === "refuse") return answerAppeal(site, viewer, id, { grant: decision === "grant", answer });
  await applyDecision(site, viewer, report, decision, reason);
  await setReportStatus(site, viewer, id, statusAfter[decision] ?? "resolved", answer);
}

const statusAfter: Partial<Record<Decision, ReportStatus>> = {
  hold: "pending",
  reopen: "pending",
  dismiss: "dismissed",
  release: "dismissed",
};

/** @throws NotFound; NotAllowed for a report about the viewer; Conflict if a held story would stay hidden without an open report. */
export async function settleQueuedReport(site: Site, viewer: Viewer, id: string, status: ReportStatus): Promise<void> {
  const report = await findDecidable(site, viewer, id);
  if (status !== "pending" && wouldStayHeld(report)) throw new Conflict(actionTexts.stillHeld, undefined, { kind: "still-held" });
  await setReportStatus(site, viewer, id, status);
}

async function findDecidable(site: Site, viewer: Viewer, id: string): Promise<Report> {
  const report = await findReport(site, viewer, id);
  if (report.isOwnCase) throw new NotAllowed(ownCaseText, { kind: "own-case" });
  return report;
}

async function applyDecision(site: Site, viewer: Viewer, { subjectId }: Report, decision: Decision, reason: string): Promise<unknown> {
  switch (decision) {
    case "hold":
      return holdPost(site, viewer, subjectId, { reason });
    case "release":
    case "release-resolve":
      return release(site, viewer, subjectId);
    case "unpublish":
      return setPostStatus(site, viewer, subjectId, "inactive", { reason });
    case "delete":
      return deletePost(site, viewer, subjectId, { reason });
    case "clear":
      return resetProfile(site, viewer, subjectId, { reason });
    case "delete-message":
      return deleteMessage(site, viewer, subjectId, { reason });
  }
}

async function release(site: Site, viewer: Viewer, id: string): Promise<void> {
  const post = await site.db.selectFrom("posts").select("heldBy").where("id", "=", id).executeTakeFirst();
  if (post?.heldBy) await undoModerationAction(site, viewer, post.heldBy);
}
