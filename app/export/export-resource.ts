import { siteContext, viewerContext } from "#app/context.ts";
import { exportEverything } from "#domain/export/export.server.ts";
import type { Route } from "./+types/export-resource.ts";
import { fileResponse, isoDay } from "./file-response.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const { zip, estimatedBytes } = await exportEverything(site, context.get(viewerContext));
  const name = `inkstead-${isoDay(site.now())}.zip`;
  return fileResponse(zip, { name, type: "application/zip", headers: { "x-about-bytes": String(estimatedBytes) } });
}
