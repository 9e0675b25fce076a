import { siteContext, viewerContext } from "#app/context.ts";
import { exportSubscribers } from "#domain/newsletter/subscriber-files.server.ts";
import type { Route } from "./+types/subscribers-export.ts";

/** The newsletter's subscribers as a file; sent while it is read. */
export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const day = new Date(site.now()).toISOString().slice(0, 10);
  return new Response(await exportSubscribers(site, context.get(viewerContext)), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="subscribers-${day}.csv"`,
      "cache-control": "private, no-store",
    },
  });
}
