import { sql } from "kysely";
import { enforceRateLimit } from "#domain/limits/rate-limits.server.ts";
import { isDuplicate } from "#platform/database/errors.ts";
import { forUpdate } from "#platform/database/locks.ts";
import type { ReportRow } from "#platform/database/schema.ts";
import { newId } from "#platform/ids.ts";
import { recordAudit } from "../audit/audit.server.ts";
import { requirePermission, roleOf } from "../permissions.ts";
import { pushDelayMs, queuePush } from "../push/push-queue.server.ts";
import { Conflict, Invalid, NotAllowed, NotFound, SignInRequired, TooMany } from "../refusals.ts";
import { type Member, type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { emailAnswer } from "./answer-emails.server.ts";
import { saveEvidence, setEvidenceExpiry } from "./evidence.server.ts";
import {
  additionsOf,
  defaultAnswers,
  editedReason,
  maxAdditions,
  type ReportAddition,
  type ReportStatus,
  reportTexts,
  ruleReason,
} from "./report.ts";
import type { ReportInput, ReportSubject } from "./report-input.ts";
import { findSubject, type Subject } from "./report-subjects.server.ts";

const limit = { max: 30, minutes: 60 };

/**
 * Adds to the viewer's pending report of the same thing, if any. Idempotent. @throws NotFound for what the viewer can't see, NotAllowed for
 * their own, TooMany after 30 in an hour or 20 additions.
 */
export async function report(site: Site, viewer: Viewer, { kind, subjectId, reason, note }: ReportInput): Promise<{ added: boolean }> {
  if (!viewer) throw new SignInRequired();
  const subject = await findReportable(site, viewer, { kind, subjectId });
  await enforceRateLimit(site, { kind: "report", subject: viewer.id }, limit);
  const now = site.now();
  const row = { id: newId(now), kind, subjectId, ownerId: subject.ownerId, reporterId: viewer.id, createdAt: now, updatedAt: now };
  return transaction(site, async (tx) => {
    const { numInsertedOrUpdatedRows: isNew } = await tx.db
      .insertInto("reports")
      .values({ ...row, reason, note, excerpt: subject.excerpt, status: "pending" })
      .onConflict((conflict) => conflict.columns(["kind", "subjectId", "reporterId"]).where("status", "=", sql.lit("pending")).doNothing())
      .executeTakeFirstOrThrow();
    if (!isNew) return { added: await addToReport(tx, row, { reason, note, at: now }) };
    if (kind === "message") await saveEvidence(tx, row);
    await queued(tx, row.id);
    return { added: false };
  });
}

type OwnReport = Pick<ReportRow, "kind" | "subjectId" | "reporterId">;

async function addToReport(tx: SiteTransaction, { kind, subjectId, reporterId }: OwnReport, addition: ReportAddition): Promise<boolean> {
  const pending = tx.db
    .selectFrom("reports")
    .select(["id", "reason", "note", "additions"])
    .where("kind", "=", kind)
    .where("subjectId", "=", subjectId)
    .where("reporterId", "=", reporterId)
    .where("status", "=", sql.lit("pending"));
  const earlier = await forUpdate(tx, pending).executeTakeFirst();
  if (!earlier) throw new Conflict(reportTexts.settledMeanwhile);
  const additions = additionsOf(earlier.additions);
  const { reason, note } = additions.at(-1) ?? earlier;
  if (reason === addition.reason && note === addition.note) return false;
  if (additions.length >= maxAdditions) throw new TooMany(reportTexts.enough);
  await tx.db
    .updateTable("reports")
    .set({ additions: JSON.stringify([...additions, addition]), updatedAt: addition.at })
    .where("id", "=", earlier.id)
    .execute();
  tx.changed("report.changed", { id: earlier.id, status: "pending" });
  return true;
}

async function queued(tx: SiteTransaction, id: string): Promise<void> {
  await updateReportCounts(tx, [{ status: "pending", count: 1 }]);
  tx.changed("report.created", { id });
}

type RuleMatch = { id: string; userId: string; title: string; note: string };

/** Creates one report per story while it is pending. */
export async function createRuleReport(tx: SiteTransaction, { id: subjectId, userId, title, note }: RuleMatch): Promise<void> {
  const about = { kind: "post", subjectId, reason: ruleReason } as const;
  const pending = tx.db.selectFrom("reports").select("id").where("kind", "=", about.kind).where("subjectId", "=", subjectId);
  if (await pending.where("reason", "=", ruleReason).where("status", "=", "pending").executeTakeFirst()) return;
  await insertReport(tx, { ...about, ownerId: userId, reporterId: null, note, excerpt: title });
}

/** Creates no report while another one about the story is pending. */
export async function reportEditedPost(tx: SiteTransaction, { id: subjectId, userId, title }: Omit<RuleMatch, "note">): Promise<void> {
  const pending = tx.db.selectFrom("reports").select("id").where("kind", "=", "post").where("subjectId", "=", subjectId);
  if (await pending.where("status", "=", "pending").executeTakeFirst()) return;
  await insertReport(tx, { kind: "post", subjectId, reason: editedReason, ownerId: userId, reporterId: null, note: "", excerpt: title });
}

/** Reports of an erased story. Another story may get its address. */
export async function detachReports({ db }: SiteTransaction, postId: string): Promise<void> {
  await db
    .updateTable("reports")
    .set((eb) => ({ subjectId: eb.ref("id") }))
    .where("kind", "=", "post")
    .where("subjectId", "=", postId)
    .execute();
}

export async function insertReport(
  tx: SiteTransaction,
  row: Pick<ReportRow, "kind" | "subjectId" | "ownerId" | "reporterId" | "reason" | "note" | "excerpt">,
): Promise<string> {
  const id = newId(tx.now());
  await tx.db
    .insertInto("reports")
    .values({ id, ...row, status: "pending", createdAt: tx.now(), updatedAt: tx.now() })
    .execute();
  await queued(tx, id);
  return id;
}

/** The pending one, or the latest. @throws NotFound. */
export async function findOwnReport(site: Site, viewer: Viewer, { kind, subjectId }: ReportSubject): Promise<string> {
  const own = site.db.selectFrom("reports").select("id").where("kind", "=", kind).where("subjectId", "=", subjectId);
  const row = await own
    .where("reporterId", "=", viewer?.id ?? "")
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!row) throw new NotFound();
  return row.id;
}

/** @throws NotFound, NotAllowed for the viewer's own. */
export async function findReportable(site: Site, viewer: Viewer, about: ReportSubject): Promise<Subject> {
  if (!viewer) throw new SignInRequired();
  const subject = await findSubject(site, viewer, about);
  if (roleOf(viewer, subject.ownerId) === "owner") throw new NotAllowed(reportTexts.own);
  requirePermission(viewer, "report", subject.ownerId);
  return subject;
}

/**
 * Idempotent. Emails `answer`, or a default text, to the reporter. @throws NotFound; Conflict when reopening one that its reporter has
 * replaced by another; Invalid for appeals (domain/moderation/appeals.server.ts).
 */
export async function setReportStatus(site: Site, viewer: Viewer, id: string, status: ReportStatus, answer = ""): Promise<void> {
  requirePermission(viewer, "handle reports");
  await transaction(site, async (tx) => {
    const report = await lockReport(tx, id);
    if (report.kind === "appeal") throw new Invalid(reportTexts.appealElsewhere);
    await settleReport(tx, viewer, report, status, answer);
  });
}

const lockedColumns = ["id", "status", "kind", "subjectId", "reporterId", "reason", "excerpt", "createdAt"] as const;

type LockedReport = Pick<ReportRow, (typeof lockedColumns)[number]>;

/** @throws NotFound. */
export async function lockReport(tx: SiteTransaction, id: string): Promise<LockedReport> {
  const query = tx.db.selectFrom("reports").select(lockedColumns).where("id", "=", id);
  const report = await forUpdate(tx, query).executeTakeFirst();
  if (!report) throw new NotFound();
  return report;
}

/** Notifies the reporter or appellant. An unchanged status with an answer is allowed. @throws Conflict as `setReportStatus`. */
export async function settleReport(
  tx: SiteTransaction,
  viewer: Member,
  before: LockedReport,
  status: ReportStatus,
  typed: string,
): Promise<void> {
  const { id, kind, subjectId } = before;
  const statusChanges = before.status !== status;
  const answer = typed === "" && statusChanges && before.reporterId ? defaultAnswers[status] : typed;
  if (!statusChanges && answer === "") return;
  const addition = answer === "" ? {} : { answer };
  await tx.db
    .updateTable("reports")
    .set({ status, ...addition, ...(answer !== "" && { answerSeenAt: null }), updatedAt: tx.now() })
    .where("id", "=", id)
    .execute()
    .catch((error) => {
      throw isDuplicate(error) ? new Conflict(reportTexts.alreadyOpen) : error;
    });
  const noun = kind === "appeal" ? "appeal" : "report";
  await recordAudit(tx, viewer, {
    action: `${noun}.${statusChanges ? status : "answered"}`,
    subject: `report:${id}`,
    before: { status: before.status },
    after: { status, kind, of: subjectId, ...(typed !== "" && { answer: typed }) },
  });
  if (statusChanges) {
    if (kind === "message") await setEvidenceExpiry(tx, id, status);
    await updateReportCounts(tx, [
      { status: before.status, count: -1 },
      { status, count: 1 },
    ]);
  }
  tx.changed("report.changed", { id, status });
  if (answer !== "" && before.reporterId) {
    tx.changed("notification.changed", { userId: before.reporterId });
    await queuePush(tx, before.reporterId, { kind: "answer", key: id }, pushDelayMs.none);
  }
  await emailAnswer(tx, before, { status, answer });
}

type CountStep = { status: ReportStatus; count: 1 | -1 };

/** Stored, so that the queue's figures stay cheap. In the order of the statuses: two moderators could deadlock otherwise. */
async function updateReportCounts(tx: SiteTransaction, steps: CountStep[]): Promise<void> {
  const rows = steps.toSorted((a, b) => (a.status < b.status ? -1 : 1));
  await tx.db
    .insertInto("report_counts")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("status").doUpdateSet((eb) => ({ count: eb("report_counts.count", "+", eb.ref("excluded.count")) })),
    )
    .execute();
}
