import { recordAccess } from "#domain/audit/record-access.server.ts";
import { namedUsers } from "#domain/named-users.server.ts";
import { requirePermission } from "#domain/permissions.ts";
import { Invalid, NotAllowed } from "#domain/refusals.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { ownCaseText } from "#domain/staff/own-case-text.ts";
import { messagesAround, readEvidence } from "./evidence.server.ts";
import { findReport } from "./report-reads.server.ts";

export type ReportedMessage = {
  id: string;
  number: number;
  senderId: string;
  senderName: string | null;
  text: string;
  fileName: string | null;
  createdAt: number;
  isReported: boolean;
  isDeleted: boolean;
};

/**
 * Includes copies of deleted messages. The reason goes to the audit log. @throws Invalid for `reason` or another kind of report; NotAllowed
 * for a report about the viewer; NotFound.
 */
export async function readReportedMessages(site: Site, viewer: Viewer, reportId: string, reason: string): Promise<ReportedMessage[]> {
  requirePermission(viewer, "read reported messages");
  const why = reason.trim();
  if (why === "") throw new Invalid("Say why you need to see this", "reason");
  const { kind, subjectId, isOwnCase } = await findReport(site, viewer, reportId);
  if (isOwnCase) throw new NotAllowed(ownCaseText);
  if (kind !== "message") throw new Invalid("This report isn’t about a message");
  await recordAccess(site, viewer, {
    action: "message.report-read",
    subject: `message:${subjectId}`,
    after: { report: reportId, reason: why.slice(0, 500) },
  });
  const [existing, copies] = await Promise.all([messagesAround(site, subjectId), readEvidence(site, reportId)]);
  const ids = new Set(existing.map(({ id }) => id));
  const deleted = copies.filter(({ messageId }) => !ids.has(messageId));
  const names = await namesOf(site, [...new Set(deleted.map(({ senderId }) => senderId))]);
  const shown = [
    ...existing.map((row) => ({ ...row, isDeleted: false })),
    ...deleted.map((row) => ({ ...row, id: row.messageId, senderName: names.get(row.senderId) ?? null, isDeleted: true })),
  ];
  return shown
    .sort((one, other) => one.number - other.number)
    .map(({ id, number, senderId, senderName, message: text, fileName, createdAt, isDeleted }) => {
      return { id, number, senderId, senderName, text, fileName, createdAt, isDeleted, isReported: id === subjectId };
    });
}

async function namesOf(site: Site, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await namedUsers(site).where("u.id", "in", ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
