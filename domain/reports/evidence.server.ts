import type { Selectable } from "kysely";
import type { EvidenceRow } from "#platform/database/rows/evidence-rows.ts";
import { days } from "#platform/time.ts";
import type { Site, SiteTransaction } from "../site.ts";
import type { ReportStatus } from "./report.ts";

const undecidedMs = days(90);
const decidedMs = days(30);
export const evidenceAround = 5;

/** Copies the reported message and up to ten around it. Idempotent. */
export async function keepEvidence(tx: SiteTransaction, { id: reportId, subjectId }: { id: string; subjectId: string }): Promise<void> {
  const reported = await tx.db.selectFrom("messages").select(["conversationId", "number"]).where("id", "=", subjectId).executeTakeFirst();
  if (!reported) return;
  const rows = await tx.db
    .selectFrom("messages as m")
    .leftJoin("files as f", "f.id", "m.fileId")
    .select(["m.id as messageId", "m.number", "m.senderId", "m.receiverId", "m.message", "f.name as fileName", "m.createdAt"])
    .where("m.conversationId", "=", reported.conversationId)
    .where("m.number", ">=", reported.number - evidenceAround)
    .where("m.number", "<=", reported.number + evidenceAround)
    .where("m.withheld", "=", false)
    .execute();
  const copied = { reportId, copiedAt: tx.now(), keptUntil: tx.now() + undecidedMs };
  await tx.db
    .insertInto("report_evidence")
    .values(rows.map((row) => ({ ...row, ...copied })))
    .onConflict((conflict) => conflict.columns(["reportId", "messageId"]).doNothing())
    .execute();
}

/** 30 days after a decision, but at most 90 days after copying. */
export async function limitEvidence(tx: SiteTransaction, reportId: string, status: ReportStatus): Promise<void> {
  const decided = tx.now() + decidedMs;
  await tx.db
    .updateTable("report_evidence")
    .set((eb) => {
      const latest = eb("copiedAt", "+", undecidedMs);
      if (status === "pending") return { keptUntil: latest };
      return { keptUntil: eb.case().when(latest, "<", decided).then(latest).else(decided).end() };
    })
    .where("reportId", "=", reportId)
    .execute();
}

export async function readEvidence({ db, now }: Site, reportId: string): Promise<Selectable<EvidenceRow>[]> {
  const rows = db.selectFrom("report_evidence").selectAll().where("reportId", "=", reportId).where("keptUntil", ">", now());
  return rows.orderBy("number").execute();
}

export async function sweepEvidence({ db, now }: Site): Promise<void> {
  await db.deleteFrom("report_evidence").where("keptUntil", "<=", now()).execute();
}
