import { readText } from "#app/admin/table/page-params.ts";
import { siteContext, viewerContext } from "#app/context.ts";
import { fileResponse, isoDay } from "#app/export/file-response.ts";
import { exportAudit, isExportFormat } from "#domain/audit/export-audit.server.ts";
import type { Route } from "./+types/audit-export-resource.ts";

const types = { csv: "text/csv; charset=utf-8", json: "application/json" };

/** The filtered audit log, streamed. */
export function loader({ url: { searchParams }, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const requested = searchParams.get("format");
  const format = isExportFormat(requested) ? requested : "csv";
  const filter = { action: readText(searchParams, "action"), subject: readText(searchParams, "subject") };
  const file = exportAudit(site, context.get(viewerContext), filter, format);
  return fileResponse(file, { name: `audit-log-${isoDay(site.now())}.${format}`, type: types[format] });
}
