import { Readable } from "node:stream";
import { siteContext, viewerContext } from "#app/context.ts";
import { fileResponse } from "#app/export/file-response.ts";
import { openBackup } from "#domain/backups/backups.server.ts";
import type { Route } from "./+types/backup-resource.ts";

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { name, size, stream } = await openBackup(context.get(siteContext), context.get(viewerContext), params.backupId);
  request.signal.addEventListener("abort", () => stream.destroy());
  const body = Readable.toWeb(stream) as ReadableStream<Uint8Array>;
  return fileResponse(body, { name, type: "application/x-tar", headers: { "content-length": String(size) } });
}
