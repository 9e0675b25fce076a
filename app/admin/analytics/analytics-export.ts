import { siteContext, viewerContext } from "#app/context.ts";
import { readAnalytics } from "#domain/analytics/analytics.server.ts";
import { analyticsCsv, analyticsExport, analyticsRanges } from "#domain/analytics/analytics.ts";
import { NotFound } from "#domain/refusals.ts";
import type { Route } from "./+types/analytics-export.ts";

const types = { json: "application/json", csv: "text/csv; charset=utf-8" };

/** The analytics as a file: `json` as specified (messaging and administration §2), or `csv`. */
export async function loader({ url, params, context }: Route.LoaderArgs) {
  const format = params.format === "json" || params.format === "csv" ? params.format : undefined;
  if (!format) throw new NotFound();
  const range = analyticsRanges.find((days) => days === Number(url.searchParams.get("days"))) ?? 7;
  const analytics = await readAnalytics(context.get(siteContext), context.get(viewerContext), range);
  const name = `analytics-${range}d-${new Date(analytics.at).toISOString().slice(0, 10)}.${format}`;
  const body = format === "csv" ? analyticsCsv(analytics) : `${JSON.stringify(analyticsExport(range, analytics), null, 2)}\n`;
  return new Response(body, {
    headers: {
      "content-type": types[format],
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "private, no-store",
    },
  });
}
