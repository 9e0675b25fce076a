import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Upload } from "#domain/files/files.server.ts";
import { journeys } from "./servers.ts";

/** Puts a file where the browser takes it from by itself: handing it ten megabytes lasts 20 seconds. Returns its path. */
export function onDisk({ name, bytes }: Upload): string {
  const path = join(mkdtempSync(join(journeys().folder, "upload-")), name);
  writeFileSync(path, bytes);
  return path;
}
