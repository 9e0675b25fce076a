import { Readable } from "node:stream";
import { siteContext, viewerContext } from "#app/context.ts";
import { openBackup } from "#domain/backups/backups.server.ts";
import type { Route } from "./+types/backup-download.ts";

/** A backup as it lies on the disk. Anyone who goes away ends the read. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { name, size, stream } = await openBackup(context.get(siteContext), context.get(viewerContext), params.backupId);
  request.signal.addEventListener("abort", () => stream.destroy());
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
    headers: {
      "content-type": "application/x-tar",
      "content-length": String(size),
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "private, no-store",
    },
  });
}
