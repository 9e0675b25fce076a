import { join } from "node:path";
import { type Config, ConfigError } from "../config.ts";
import type { Log } from "../log.ts";
import { diskStore } from "./disk.ts";
import type { FileStore } from "./file-store.ts";

export async function openFiles({ dataDir, s3 }: Pick<Config, "dataDir" | "s3">): Promise<FileStore> {
  if (!s3) return diskStore(join(dataDir, "files"));
  // Imported dynamically, because the library is slow to load.
  const { s3Store } = await import("./s3.ts");
  return s3Store(s3);
}

/** Called at start. An unreachable store may come back. @returns whether it can be used now. @throws ConfigError if the store refuses. */
export async function checkFiles(files: FileStore, log: Log): Promise<boolean> {
  try {
    await files.check();
    return true;
  } catch (error) {
    const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
    const status = $metadata?.httpStatusCode ?? 0;
    const isRefused = status >= 300 && status < 500 && status !== 408 && status !== 429;
    if (isRefused) throw new ConfigError(`FILES_URL, or the keys for it, can't be used: the store responded ${name}, “${message}”.`);
    log.error({ err: error }, "files can't be reached; the site starts without them");
    return false;
  }
}
