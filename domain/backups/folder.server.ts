import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Site } from "../site.ts";

export function backupFolder({ storageConfig }: Pick<Site, "storageConfig">): string {
  return join(storageConfig.dataDir, "backups");
}

export async function fileExists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
