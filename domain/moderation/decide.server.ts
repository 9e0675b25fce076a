import { holdPost } from "#domain/moderation/posts/hold-post.server.ts";
import { resetProfile } from "#domain/moderation/profiles/reset-profile.server.ts";
import { deleteMessage } from "../messages/deleting.server.ts";
import { mustBeAllowed } from "../permissions.ts";
import { deletePost } from "../posts/posts.server.ts";
import { setPostStatus } from "../posts/update-post.server.ts";
import { Invalid } from "../refusals.ts";
import { findReport, type Report } from "../reports/report-reads.server.ts";
import { setReportStatus } from "../reports/reports.server.ts";
import type { Site, Viewer } from "../site.ts";
import { answerAppeal } from "./appeals.server.ts";
import { type Decision, decisionsOn } from "./decision.ts";
import { moderationWords } from "./moderation-action.ts";
import { undoModerationAction } from "./undo.server.ts";

/** `reason` is for whose thing it is, `answer` for who reported or appealed. */
export type DecisionInput = { decision: Decision; reason: string; answer: string };

/**
 * Decides on something in the queue: does it to what was reported, settles the report, and tells both sides. Holding leaves
 * the report waiting: it is held until it is decided.
 * @throws Invalid for what can't be decided on such a thing, NotFound, and what the verbs behind it refuse.
 */
export async function decide(site: Site, viewer: Viewer, id: string, { decision, reason, answer }: DecisionInput): Promise<void> {
  mustBeAllowed(viewer, "handle reports");
  const report = await findReport(site, viewer, id);
  if (!decisionsOn(report).includes(decision)) throw new Invalid(moderationWords.notHere, "decision");
  if (decision === "grant" || decision === "refuse") return answerAppeal(site, viewer, id, { grant: decision === "grant", answer });
  await doTo(site, viewer, report, decision, reason);
  const settled = { reopen: "pending", dismiss: "dismissed", release: "dismissed" } as const;
  if (decision === "hold") return;
  await setReportStatus(site, viewer, id, settled[decision as keyof typeof settled] ?? "resolved", answer);
}

async function doTo(site: Site, viewer: Viewer, { subjectId }: Report, decision: Decision, reason: string): Promise<unknown> {
  switch (decision) {
    case "hold":
      return holdPost(site, viewer, subjectId, { reason });
    case "release":
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

/** As it was before: a draft that was held is a draft again. */
async function release(site: Site, viewer: Viewer, id: string): Promise<void> {
  const post = await site.db.selectFrom("posts").select("heldBy").where("id", "=", id).executeTakeFirst();
  if (post?.heldBy) await undoModerationAction(site, viewer, post.heldBy);
}
