import { recordAccess } from "#domain/audit/record-access.server.ts";
import { mustBeAllowed } from "#domain/permissions.ts";
import { Invalid } from "#domain/refusals.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { evidenceAround, readEvidence } from "./evidence.server.ts";
import { findReport } from "./report-reads.server.ts";

/** `senderName` is null for a deleted account. */
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
 * Includes copies of deleted messages. The reason goes to the audit log. @throws Invalid for `reason` or another kind of report; NotFound.
 */
export async function readReported(site: Site, viewer: Viewer, reportId: string, reason: string): Promise<ReportedMessage[]> {
  mustBeAllowed(viewer, "read reported messages");
  const why = reason.trim();
  if (why === "") throw new Invalid("Say why you need to see this", "reason");
  const { kind, subjectId } = await findReport(site, viewer, reportId);
  if (kind !== "message") throw new Invalid("This report isn’t about a message");
  await recordAccess(site, viewer, {
    action: "message.report-read",
    subject: `message:${subjectId}`,
    after: { report: reportId, reason: why.slice(0, 500) },
  });
  const [standing, copies] = await Promise.all([readAround(site, subjectId), readEvidence(site, reportId)]);
  const ids = new Set(standing.map(({ id }) => id));
  const gone = copies.filter(({ messageId }) => !ids.has(messageId));
  const names = await namesOf(site, [...new Set(gone.map(({ senderId }) => senderId))]);
  const kept = gone.map(({ messageId: id, number, senderId, message: text, fileName, createdAt }) => {
    return { id, number, senderId, senderName: names.get(senderId) ?? null, text, fileName, createdAt, isDeleted: true };
  });
  return [...standing.map((row) => ({ ...row, isDeleted: false })), ...kept]
    .sort((one, other) => one.number - other.number)
    .map((row) => ({ ...row, isReported: row.id === subjectId }));
}

async function readAround(site: Site, messageId: string) {
  const reported = await site.db.selectFrom("messages").select(["conversationId", "number"]).where("id", "=", messageId).executeTakeFirst();
  if (!reported) return [];
  return site.db
    .selectFrom("messages as m")
    .leftJoin("users as u", "u.id", "m.senderId")
    .leftJoin("files as f", "f.id", "m.fileId")
    .select(["m.id", "m.number", "m.senderId", "u.name as senderName", "m.message as text", "f.name as fileName", "m.createdAt"])
    .where("m.conversationId", "=", reported.conversationId)
    .where("m.number", ">=", reported.number - evidenceAround)
    .where("m.number", "<=", reported.number + evidenceAround)
    .where("m.withheld", "=", false)
    .execute();
}

async function namesOf(site: Site, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await site.db.selectFrom("users").select(["id", "name"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
