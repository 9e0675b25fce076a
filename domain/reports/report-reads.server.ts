import { cutPage, readCursor } from "#platform/database/keyset.ts";
import type { ModerationActionKind } from "../moderation/moderation-action.ts";
import { may, requirePermission } from "../permissions.ts";
import { readablePosts } from "../readable-posts.server.ts";
import { NotFound } from "../refusals.ts";
import type { Member, Site, Viewer } from "../site.ts";
import { markOwnCases } from "../staff/own-cases.server.ts";
import { additionsOf, type QueueKind, type ReportAddition, type ReportStatus } from "./report.ts";

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
  appealed: string | null;
  /** The story, or the one that the appealed decision is about, if the viewer may read it. */
  storyId: string | null;
  /** Its author, or staff, unpublished the reported story. */
  isDraft: boolean;
  /** It concerns the viewer: only other staff may decide. */
  isOwnCase: boolean;
  createdAt: number;
  updatedAt: number;
};

export type ReportPage = { reports: Report[]; next: string | null };
export type ReportCounts = Record<ReportStatus, number> & { all: number };

type ReportQuery = { status: ReportStatus | "all"; limit: number; after?: string | null | undefined };

/** Pending first, then newest first. */
export async function listReports(site: Site, viewer: Viewer, { status, limit, after }: ReportQuery): Promise<ReportPage> {
  requirePermission(viewer, "handle reports");
  const [isPending, number] = readCursor(after, ["number", "number"]) ?? [1, Number.MAX_SAFE_INTEGER];
  const read = (query: ReturnType<typeof reportRows>, before: number, most: number) =>
    query.where("reports.number", "<", before).orderBy("reports.number", "desc").limit(most).execute();
  const rows: QueuedRow[] = [];
  if (status !== "all") rows.push(...(await read(reportRows(site).where("reports.status", "=", status), number, limit + 1)));
  else {
    // Two queries: no index has both orders.
    if (isPending === 1) rows.push(...(await read(reportRows(site).where("reports.status", "=", "pending"), number, limit + 1)));
    const settled = reportRows(site).where("reports.status", "!=", "pending");
    const before = isPending === 1 ? Number.MAX_SAFE_INTEGER : number;
    if (rows.length <= limit) rows.push(...(await read(settled, before, limit + 1 - rows.length)));
  }
  const { rows: shown, next } = cutPage(rows, limit, (row) => [row.status === "pending" ? 1 : 0, row.number]);
  return { reports: await reportsOf(site, viewer, shown), next };
}

function reportRows(site: Site) {
  return site.db
    .selectFrom("reports")
    .leftJoin("posts", (join) => join.onRef("posts.id", "=", "reports.subjectId").on("reports.kind", "=", "post"))
    .leftJoin("moderation_actions", "moderation_actions.id", "posts.heldBy")
    .leftJoin("moderation_actions as decision", (join) =>
      join.onRef("decision.id", "=", "reports.subjectId").on("reports.kind", "=", "appeal"),
    )
    .leftJoin("users as owner", "owner.id", "reports.ownerId")
    .leftJoin("users as reporter", "reporter.id", "reports.reporterId")
    .leftJoin("profiles as ownerProfile", "ownerProfile.userId", "owner.id")
    .leftJoin("profiles as reporterProfile", "reporterProfile.userId", "reporter.id")
    .select(["reports.number", "reports.id", "reports.kind", "reports.subjectId", "reports.ownerId", "reports.reporterId"])
    .select(["reports.reason", "reports.note", "reports.excerpt", "reports.status", "reports.createdAt", "reports.updatedAt"])
    .select(({ fn }) => fn.coalesce("ownerProfile.userName", "owner.name").as("ownerName"))
    .select(({ fn }) => fn.coalesce("reporterProfile.userName", "reporter.name").as("reporterName"))
    .select(["reports.answer", "moderation_actions.kind as held", "reports.additions", "decision.subject as appealed"]);
}

const ofUnknownReporter = { reporterId: null, reporterName: null, note: "", additions: [] };

type QueuedRow = Omit<Report, "additions" | "isOwnCase" | "storyId" | "isDraft"> & { number: number; additions: string };

async function reportsOf(site: Site, viewer: Member, rows: QueuedRow[]): Promise<Report[]> {
  const posts = await findPosts(site, rows.flatMap(postIdOf));
  const readable = await readablePosts(site, viewer, posts);
  const reports = rows.map(({ number: _number, additions, ...row }) => {
    const post = posts.find(({ id, userId }) => postIdOf(row).includes(id) && userId === (row.ownerId ?? userId));
    const storyId = post && readable.includes(post) ? post.id : null;
    const isDraft = row.kind === "post" && post?.status === "inactive" && post.heldBy === null;
    return { ...row, additions: additionsOf(additions), storyId, isDraft };
  });
  const marked = await markOwnCases(site, viewer, reports, ({ ownerId }) => ownerId !== null && !may(viewer, "handle reports", ownerId));
  return marked.map((report) => (report.isOwnCase && report.reporterId !== viewer.id ? { ...report, ...ofUnknownReporter } : report));
}

function postIdOf({ kind, subjectId, appealed }: Pick<QueuedRow, "kind" | "subjectId" | "appealed">): string[] {
  if (kind === "post") return [subjectId];
  return appealed?.startsWith("post:") ? [appealed.slice("post:".length)] : [];
}

async function findPosts({ db }: Site, ids: string[]) {
  if (ids.length === 0) return [];
  return db.selectFrom("posts").select(["id", "status", "userId", "heldBy", "updatedAt"]).where("id", "in", ids).execute();
}

/** @throws NotFound. */
export async function findReport(site: Site, viewer: Viewer, id: string): Promise<Report> {
  requirePermission(viewer, "handle reports");
  const rows = await reportRows(site).where("reports.id", "=", id).execute();
  const [report] = await reportsOf(site, viewer, rows);
  if (!report) throw new NotFound();
  return report;
}

export async function countReports(site: Site, viewer: Viewer): Promise<ReportCounts> {
  requirePermission(viewer, "handle reports");
  const rows = await site.db.selectFrom("report_counts").select(["status", "count"]).execute();
  const of = (status: ReportStatus) => rows.find((row) => row.status === status)?.count ?? 0;
  const counts = { pending: of("pending"), resolved: of("resolved"), dismissed: of("dismissed") };
  return { ...counts, all: counts.pending + counts.resolved + counts.dismissed };
}
