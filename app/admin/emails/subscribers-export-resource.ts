import { siteContext, viewerContext } from "#app/context.ts";
import { fileResponse, isoDay } from "#app/export/file-response.ts";
import { exportSubscribers } from "#domain/newsletter/subscriber-files.server.ts";
import type { Route } from "./+types/subscribers-export-resource.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const file = await exportSubscribers(site, context.get(viewerContext));
  return fileResponse(file, { name: `subscribers-${isoDay(site.now())}.csv`, type: "text/csv; charset=utf-8" });
}
