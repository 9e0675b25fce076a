import { cutPage, readCursor } from "#platform/database/keyset.ts";
import type { ModerationActionKind } from "../moderation/moderation-action.ts";
import { mustBeAllowed } from "../permissions.ts";
import { NotFound } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import { additionsOf, type QueueKind, type ReportAddition, type ReportStatus } from "./report.ts";

/** A report as the administrators' queue shows it. Names are null where the account is gone. */
export type Report = {
  id: string;
  kind: QueueKind;
  subjectId: string;
  ownerId: string | null;
  ownerName: string | null;
  reporterId: string | null;
  reporterName: string | null;
  reason: string;
  note: string;
  excerpt: string;
  status: ReportStatus;
  answer: string;
  additions: ReportAddition[];
  held: ModerationActionKind | null;
  createdAt: number;
  updatedAt: number;
};

export type ReportPage = { reports: Report[]; next: string | null };
export type ReportCounts = Record<ReportStatus, number> & { all: number };

type Listing = { status: ReportStatus | "all"; limit: number; after?: string | null | undefined };

/** Reports for administrators, newest first; `next` is the cursor of the following page, null on the last one. */
export async function listReports(site: Site, viewer: Viewer, { status, limit, after }: Listing): Promise<ReportPage> {
  mustBeAllowed(viewer, "handle reports");
  let query = reportRows(site);
  if (status !== "all") query = query.where("reports.status", "=", status);
  const from = readCursor(after, ["number"]);
  if (from) query = query.where("reports.number", "<", from[0]);
  const rows = await query
    .orderBy("reports.number", "desc")
    .limit(limit + 1)
    .execute();
  const { rows: shown, next } = cutPage(rows, limit, ({ number }) => [number]);
  return { reports: shown.map(reportOf), next };
}

function reportRows(site: Site) {
  return site.db
    .selectFrom("reports")
    .leftJoin("posts", (join) => join.onRef("posts.id", "=", "reports.subjectId").on("reports.kind", "=", "post"))
    .leftJoin("moderation_actions", "moderation_actions.id", "posts.heldBy")
    .leftJoin("users as owner", "owner.id", "reports.ownerId")
    .leftJoin("users as reporter", "reporter.id", "reports.reporterId")
    .select(["reports.number", "reports.id", "reports.kind", "reports.subjectId", "reports.ownerId", "reports.reporterId"])
    .select(["reports.reason", "reports.note", "reports.excerpt", "reports.status", "reports.createdAt", "reports.updatedAt"])
    .select(["owner.name as ownerName", "reporter.name as reporterName", "reports.answer", "moderation_actions.kind as held"])
    .select("reports.additions");
}

type QueuedRow = Omit<Report, "additions"> & { number: number; additions: string };

function reportOf({ number: _number, additions, ...row }: QueuedRow): Report {
  return { ...row, additions: additionsOf(additions) };
}

/** One of them, for administrators. @throws NotFound. */
export async function findReport(site: Site, viewer: Viewer, id: string): Promise<Report> {
  mustBeAllowed(viewer, "handle reports");
  const report = await reportRows(site).where("reports.id", "=", id).executeTakeFirst();
  if (!report) throw new NotFound();
  return reportOf(report);
}

export async function countReports(site: Site, viewer: Viewer): Promise<ReportCounts> {
  mustBeAllowed(viewer, "handle reports");
  const rows = await site.db.selectFrom("report_counts").select(["status", "count"]).execute();
  const of = (status: ReportStatus) => rows.find((row) => row.status === status)?.count ?? 0;
  const counts = { pending: of("pending"), resolved: of("resolved"), dismissed: of("dismissed") };
  return { ...counts, all: counts.pending + counts.resolved + counts.dismissed };
}
