import { recordLook } from "../audit/looks.server.ts";
import { mustBeAllowed } from "../permissions.ts";
import { Invalid } from "../refusals.ts";
import { findReport } from "../reports/report-reads.server.ts";
import type { Site, Viewer } from "../site.ts";

/** A message as who looks into a report reads it; names are null once the account is gone. */
export type ReportedMessage = {
  id: string;
  number: number;
  senderId: string;
  senderName: string | null;
  text: string;
  /** Attachments are named and not shown. */
  fileName: string | null;
  createdAt: number;
  isReported: boolean;
};

/** On either side of the message that was reported: ten in all. */
const around = 5;

/**
 * A message that was reported, with the ten around it; staff say why they look, and that stands in the audit log.
 * @throws Invalid beside `reason`, for a report about something else; NotFound; what the permissions refuse.
 */
export async function readReported(site: Site, viewer: Viewer, reportId: string, reason: string): Promise<ReportedMessage[]> {
  mustBeAllowed(viewer, "read reported messages");
  const why = reason.trim();
  if (why === "") throw new Invalid("Say why you need to see this", "reason");
  const { kind, subjectId } = await findReport(site, viewer, reportId);
  if (kind !== "message") throw new Invalid("This report isn’t about a message");
  await recordLook(site, viewer, {
    action: "message.report-read",
    subject: `message:${subjectId}`,
    after: { report: reportId, reason: why.slice(0, 500) },
  });
  const reported = await site.db.selectFrom("messages").select(["conversationId", "number"]).where("id", "=", subjectId).executeTakeFirst();
  if (!reported) return [];
  const rows = await site.db
    .selectFrom("messages as m")
    .leftJoin("users as u", "u.id", "m.senderId")
    .leftJoin("files as f", "f.id", "m.fileId")
    .select(["m.id", "m.number", "m.senderId", "u.name as senderName", "m.message as text", "f.name as fileName", "m.createdAt"])
    .where("m.conversationId", "=", reported.conversationId)
    .where("m.number", ">=", reported.number - around)
    .where("m.number", "<=", reported.number + around)
    .orderBy("m.number")
    .execute();
  return rows.map((row) => ({ ...row, isReported: row.id === subjectId }));
}
