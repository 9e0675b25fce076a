import { siteContext, viewerContext } from "#app/context.ts";
import { exportEverything } from "#domain/export/export.server.ts";
import type { Route } from "./+types/export-resource.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const { zip, about } = await exportEverything(site, context.get(viewerContext));
  const day = new Date(site.now()).toISOString().slice(0, 10);
  return new Response(zip, {
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="inkstead-${day}.zip"`,
      "cache-control": "private, no-store",
      "x-about-bytes": String(about),
    },
  });
}
