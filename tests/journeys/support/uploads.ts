import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Upload } from "#domain/files/files.server.ts";
import { journeys } from "./servers.ts";

/** Writes a file for the browser to read: passing ten megabytes through Playwright takes 20 seconds. @returns its path. */
export function onDisk({ name, bytes }: Upload): string {
  const path = join(mkdtempSync(join(journeys().folder, "upload-")), name);
  writeFileSync(path, bytes);
  return path;
}
