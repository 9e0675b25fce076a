import { siteContext, viewerContext } from "#app/context.ts";
import { fileResponse, isoDay } from "#app/export/file-response.ts";
import { readAnalytics } from "#domain/analytics/analytics.server.ts";
import { analyticsCsv, analyticsExport, analyticsRanges } from "#domain/analytics/analytics.ts";
import { NotFound } from "#domain/refusals.ts";
import type { Route } from "./+types/analytics-export-resource.ts";

/** `json` as specified (messaging and administration §2), or `csv`. */
export async function loader({ url, params: { format }, context }: Route.LoaderArgs) {
  if (format !== "json" && format !== "csv") throw new NotFound();
  const range = analyticsRanges.find((days) => days === Number(url.searchParams.get("days"))) ?? 7;
  const analytics = await readAnalytics(context.get(siteContext), context.get(viewerContext), range);
  const name = `analytics-${range}d-${isoDay(analytics.at)}.${format}`;
  if (format === "csv") return fileResponse(analyticsCsv(analytics), { name, type: "text/csv; charset=utf-8" });
  return fileResponse(`${JSON.stringify(analyticsExport(range, analytics), null, 2)}\n`, { name, type: "application/json" });
}
