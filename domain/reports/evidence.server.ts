import type { Selectable } from "kysely";
import type { EvidenceRow } from "#platform/database/rows/evidence-rows.ts";
import { days } from "#platform/time.ts";
import type { Site, SiteTransaction } from "../site.ts";
import type { ReportStatus } from "./report.ts";

const undecidedMs = days(90);
const decidedMs = days(30);
const evidenceAround = 5;

/** Copies the reported message and up to ten around it. Idempotent. */
export async function saveEvidence(tx: SiteTransaction, { id: reportId, subjectId }: { id: string; subjectId: string }): Promise<void> {
  const rows = await messagesAround(tx, subjectId);
  if (rows.length === 0) return;
  const copied = { reportId, copiedAt: tx.now(), keptUntil: tx.now() + undecidedMs };
  await tx.db
    .insertInto("report_evidence")
    .values(rows.map(({ id: messageId, senderName: _name, ...row }) => ({ messageId, ...row, ...copied })))
    .onConflict((conflict) => conflict.columns(["reportId", "messageId"]).doNothing())
    .execute();
}

/** The message and up to `evidenceAround` on each side; empty if it was deleted. */
export async function messagesAround({ db }: Pick<Site, "db"> | SiteTransaction, messageId: string) {
  const message = await db.selectFrom("messages").select(["conversationId", "number"]).where("id", "=", messageId).executeTakeFirst();
  if (!message) return [];
  return db
    .selectFrom("messages as m")
    .leftJoin("users as u", "u.id", "m.senderId")
    .leftJoin("profiles as p", "p.userId", "u.id")
    .leftJoin("files as f", "f.id", "m.fileId")
    .select(["m.id", "m.number", "m.senderId", "m.receiverId", "m.message", "f.name as fileName", "m.createdAt"])
    .select(({ fn }) => fn.coalesce("p.userName", "u.name").as("senderName"))
    .where("m.conversationId", "=", message.conversationId)
    .where("m.number", ">=", message.number - evidenceAround)
    .where("m.number", "<=", message.number + evidenceAround)
    .where("m.withheld", "=", false)
    .execute();
}

/** 30 days after a decision, but at most 90 days after copying. */
export async function setEvidenceExpiry(tx: SiteTransaction, reportId: string, status: ReportStatus): Promise<void> {
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
