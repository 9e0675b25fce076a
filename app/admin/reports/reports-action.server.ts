import { data } from "react-router";
import type { ModerationAnswer } from "#app/admin/posts/post-moderation.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { cameFrom } from "#app/shell/local-path.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { decide, settleQueued } from "#domain/moderation/decide.server.ts";
import { decisions } from "#domain/moderation/decision.ts";
import { Reason } from "#domain/moderation/moderation-input.ts";
import { statusOf } from "#domain/refusals.ts";
import { type ReportStatus, reportStatuses } from "#domain/reports/report.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { reportTexts } from "./report-texts.ts";

export async function settleReport(site: Site, viewer: Viewer, request: Request) {
  const form = await readForm(request);
  const text = (name: string) => String(form.get(name) ?? "");
  const { status, decideOn, ...answer } = await settle(site, viewer, { id: text("id"), wanted: text("do"), reason: text("reason") });
  const isScripted = form.get("scripted") === "yes";
  if (decideOn !== undefined && !(isScripted && form.has("reason")))
    return redirectWithToast(`/admin/reports/${encodeURIComponent(decideOn)}`, { tone: "info", text: answer.text });
  if (form.get("scripted") === "yes") return data<ModerationAnswer>(answer, { status });
  return redirectWithToast(cameFrom(request, site.url, "/admin/reports"), answer);
}

type RequestedDecision = { id: string; wanted: string; reason: string };

/** `decideOn`: the report whose own page asks what is missing. */
type Outcome = ModerationAnswer & { status: number; decideOn?: string };

async function settle(site: Site, viewer: Viewer, asked: RequestedDecision): Promise<Outcome> {
  const reason = Reason.safeParse(asked.reason);
  if (asked.wanted === "unpublish" && !reason.success)
    return { tone: "error", text: reason.error.issues[0]?.message ?? "", status: 422, decideOn: asked.id };
  try {
    return { tone: "success", text: await run(site, viewer, asked), status: 200 };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal.details?.kind === "still-held")
      return { tone: "error", text: refusal.message, status: statusOf(refusal), decideOn: asked.id };
    return { tone: "error", text: `${reportTexts.failed}: ${refusal.message}`, status: statusOf(refusal) };
  }
}

async function run(site: Site, viewer: Viewer, { id, wanted, reason }: RequestedDecision): Promise<string> {
  if (wanted === "unpublish") {
    await decide(site, viewer, id, { decision: "unpublish", reason: reason.trim(), answer: "" });
    return decisions.unpublish.done;
  }
  const status: ReportStatus = reportStatuses.find((each) => each === wanted) ?? "pending";
  await settleQueued(site, viewer, id, status);
  return reportTexts.settled[status];
}
