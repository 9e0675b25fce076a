import { type Config, ConfigError } from "#platform/config.ts";
import { checkFiles, openFiles } from "#platform/files/open.ts";
import { createLog } from "#platform/log.ts";

/** Before long work, which would fail at its end. @throws ConfigError */
export async function checkStore(config: Config): Promise<void> {
  const store = await openFiles(config);
  try {
    if (!(await checkFiles(store, createLog("silent"))))
      throw new ConfigError("Files can't be stored: the disk or FILES_URL doesn't answer.");
  } finally {
    await store.close();
  }
}
