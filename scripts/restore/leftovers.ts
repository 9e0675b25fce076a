import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** What reading the configuration, locking and copying files add to a data folder. */
const possibleLeftovers = ["secret", "files", "serving.lock", "serving.txt"];

/** Call before anything is written. @returns a function that removes later additions. */
export function snapshotFolder(dataDir: string): () => void {
  const existed = existsSync(dataDir);
  const before = existed ? readdirSync(dataDir) : [];
  return () => {
    // A site has been started there meanwhile.
    if (!before.includes("inkstead.db") && existsSync(join(dataDir, "inkstead.db"))) return;
    for (const name of possibleLeftovers.filter((each) => !before.includes(each)))
      rmSync(join(dataDir, name), { recursive: true, force: true });
    if (!existed && existsSync(dataDir) && readdirSync(dataDir).length === 0) rmdirSync(dataDir);
  };
}
