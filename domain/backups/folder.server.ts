import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Site } from "../site.ts";

export function backupFolder({ places }: Pick<Site, "places">): string {
  return join(places.dataDir, "backups");
}

export async function fileExists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
