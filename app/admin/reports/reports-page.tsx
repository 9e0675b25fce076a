import { useState } from "react";
import { ModerationDialog } from "#app/admin/moderation/moderation-dialog.tsx";
import { ReasonField } from "#app/admin/moderation/reason-field.tsx";
import { useModeration, useResultToasts } from "#app/admin/moderation/use-moderation.tsx";
import type { ModerationResult } from "#app/admin/posts/post-moderation.ts";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { RefreshButton } from "#app/admin/shell/refresh-button.tsx";
import { StatTiles } from "#app/admin/shell/stat-tiles.tsx";
import { useMay } from "#app/admin/shell/use-may.ts";
import { ListFilters, optionsOf } from "#app/admin/table/list-filters.tsx";
import { listPath } from "#app/admin/table/page-params.ts";
import { siteContext, viewerContext } from "#app/context.ts";
import { useRevalidateOn } from "#app/live/use-live.ts";
import { catchRequestFailure } from "#app/shell/catch-request-failure.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CursorNav } from "#app/ui/cursor-nav.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { CircleCheck, CircleSlash, Clock, Flag, ShieldCheck } from "#app/ui/icons.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { fullCount } from "#domain/format.ts";
import { decisions } from "#domain/moderation/decision.ts";
import { reportStatuses } from "#domain/reports/report.ts";
import { countReports, listReports, type Report, type ReportCounts } from "#domain/reports/report-reads.server.ts";
import type { Route } from "./+types/reports-page.ts";
import { ReportItem } from "./report-item.tsx";
import { reportTexts } from "./report-texts.ts";
import { handleReportForm } from "./reports-action.server.ts";

export async function loader({ url, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const status = reportStatuses.find((each) => each === url.searchParams.get("status")) ?? "all";
  const after = url.searchParams.get("after");
  const cursor = site.events.latest();
  const [counts, page] = await Promise.all([countReports(site, viewer), listReports(site, viewer, { status, after, limit: 20 })]);
  return { status, after, counts, cursor, ...page };
}

export async function action({ request, context }: Route.ActionArgs) {
  return handleReportForm(context.get(siteContext), context.get(viewerContext), request);
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  catchRequestFailure(serverAction, { tone: "error", text: reportTexts.failed } satisfies ModerationResult);

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Reports & Moderation" });

const path = "/admin/reports";
const choices = optionsOf({ "": "All Reports", pending: "Pending", resolved: "Resolved", dismissed: "Dismissed" });
const selects = [{ name: "status", label: "Status", options: choices, className: "w-44" }];

export default function ReportsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { status, after, counts, cursor, reports, next } = loaderData;
  const may = useMay();
  useResultToasts(actionData);
  useRevalidateOn(["reports"], cursor);
  const { moderate, busy } = useModeration(path);
  const [unpublishing, setUnpublishing] = useState<Report | null>(null);
  const run = (report: Report, action: string) => {
    if (action === "unpublish") setUnpublishing(report);
    else if (!busy) void moderate({ do: action, id: report.id });
  };
  const chosen = status === "all" ? "" : status;
  return (
    <>
      <PageHead title="Reports & Moderation">
        <ListFilters action={path} label="Reports" chosen={{ status: chosen }} selects={selects} />
        {may("set rules") && (
          <ButtonLink to="/admin/reports/rules" icon={ShieldCheck}>
            Rules
          </ButtonLink>
        )}
        <RefreshButton toast={reportTexts.refreshed} />
      </PageHead>
      <StatTiles className="mt-6" tiles={tilesOf(counts)} />
      {reports.length > 0 ? (
        <ul className="mt-5 divide-y divide-line rounded-lg border border-line bg-raised" aria-busy={busy}>
          {reports.map((report) => (
            <ReportItem key={report.id} report={report} onDo={(action) => run(report, action)} />
          ))}
        </ul>
      ) : (
        <Panel className="mt-5">
          <EmptyState art="calm" title="No Reports Found" large className="py-16!" text={reportTexts.nothing}>
            <p className="w-full text-sm text-ink-3">{reportTexts.nothingYet}</p>
          </EmptyState>
        </Panel>
      )}
      {unpublishing && (
        <ModerationDialog
          title="Unpublish this story?"
          text={`“${unpublishing.excerpt}”. ${decisions.unpublish.note} The report is resolved.`}
          label="Unpublish"
          action={path}
          fields={{ id: unpublishing.id, do: "unpublish" }}
          onClose={() => setUnpublishing(null)}
        >
          {(error) => <ReasonField error={error} required autoFocus />}
        </ModerationDialog>
      )}
      <CursorNav after={after} next={next} hrefOf={(after) => listPath(path, { status: chosen, after })} />
    </>
  );
}

function tilesOf(counts: ReportCounts) {
  return [
    { label: "Total Reports", value: fullCount(counts.all), icon: Flag },
    { label: "Pending Review", value: fullCount(counts.pending), icon: Clock },
    { label: "Resolved", value: fullCount(counts.resolved), icon: CircleCheck },
    { label: "Dismissed", value: fullCount(counts.dismissed), icon: CircleSlash },
  ];
}
