import { siteContext, viewerContext } from "#app/context.ts";
import { exportAudit, isExportFormat } from "#domain/audit/export-audit.server.ts";
import type { Route } from "./+types/audit-export.ts";
import { auditFilter } from "./audit-filter.ts";

const types = { csv: "text/csv; charset=utf-8", json: "application/json" };

/** The audit log as a file, as far as the filters leave it; sent while it is read. */
export function loader({ url, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const format = url.searchParams.get("format");
  const asked = isExportFormat(format) ? format : "csv";
  const file = exportAudit(site, context.get(viewerContext), auditFilter(url.searchParams), asked);
  const day = new Date(site.now()).toISOString().slice(0, 10);
  return new Response(file, {
    headers: {
      "content-type": types[asked],
      "content-disposition": `attachment; filename="audit-log-${day}.${asked}"`,
      "cache-control": "private, no-store",
    },
  });
}
