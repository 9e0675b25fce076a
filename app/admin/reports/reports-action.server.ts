import { outcomeOf, sendResult } from "#app/admin/moderation/send-result.server.ts";
import { parseField, readTexts } from "#app/forms/refused-form.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { refererPath } from "#app/shell/local-path.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { decide, settleQueuedReport } from "#domain/moderation/decide.server.ts";
import { decisions } from "#domain/moderation/decision.ts";
import { Reason } from "#domain/moderation/moderation-input.ts";
import type { Refusal } from "#domain/refusals.ts";
import { type ReportStatus, reportStatuses } from "#domain/reports/report.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { reportTexts } from "./report-texts.ts";

type RequestedDecision = Record<"id" | "do" | "reason", string>;

export async function handleReportForm(site: Site, viewer: Viewer, request: Request) {
  const form = await readForm(request);
  const requested: RequestedDecision = readTexts(form, ["id", "do", "reason"]);
  let needsPage = false;
  const failureText = ({ field, message, details }: Refusal) => {
    needsPage = field === "reason" || details?.kind === "still-held";
    return needsPage ? message : `${reportTexts.failed}: ${message}`;
  };
  const outcome = await outcomeOf(() => run(site, viewer, requested), failureText);
  // The report’s page asks for what is missing, unless a dialog with a reason is open.
  if (needsPage && !(form.get("scripted") === "yes" && form.has("reason")))
    return redirectWithToast(`/admin/reports/${encodeURIComponent(requested.id)}`, { tone: "info", text: outcome.text });
  return sendResult(form, outcome, refererPath(request, site.url, "/admin/reports"));
}

async function run(site: Site, viewer: Viewer, { id, do: decision, reason }: RequestedDecision): Promise<string> {
  if (decision === "unpublish") {
    await decide(site, viewer, id, { decision: "unpublish", reason: parseField(Reason, reason, "reason"), answer: "" });
    return decisions.unpublish.done;
  }
  const status: ReportStatus = reportStatuses.find((each) => each === decision) ?? "pending";
  await settleQueuedReport(site, viewer, id, status);
  return reportTexts.settled[status];
}
