import { data } from "react-router";
import type { ModerationAnswer } from "#app/admin/posts/post-moderation.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { cameFrom } from "#app/shell/local-path.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { statusOf } from "#domain/refusals.ts";
import { type ReportStatus, reportStatuses } from "#domain/reports/report.ts";
import { setReportStatus } from "#domain/reports/reports.server.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { reportTexts } from "./report-texts.ts";

export async function settleReport(site: Site, viewer: Viewer, request: Request) {
  const form = await readForm(request);
  const { status, ...answer } = await settle(site, viewer, { id: String(form.get("id")), wanted: String(form.get("do")) });
  if (form.get("scripted") === "yes") return data<ModerationAnswer>(answer, { status });
  return redirectWithToast(cameFrom(request, site.url, "/admin/reports"), answer);
}

type RequestedDecision = { id: string; wanted: string };

async function settle(site: Site, viewer: Viewer, asked: RequestedDecision): Promise<ModerationAnswer & { status: number }> {
  try {
    return { tone: "success", text: await run(site, viewer, asked), status: 200 };
  } catch (error) {
    const refusal = refusalOf(error);
    return { tone: "error", text: `${reportTexts.failed}: ${refusal.message}`, status: statusOf(refusal) };
  }
}

async function run(site: Site, viewer: Viewer, { id, wanted }: RequestedDecision): Promise<string> {
  const status: ReportStatus = reportStatuses.find((each) => each === wanted) ?? "pending";
  await setReportStatus(site, viewer, id, status);
  return reportTexts.settled[status];
}
