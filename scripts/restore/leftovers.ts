import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** What reading the configuration and copying files in add to a data folder. */
const added = ["secret", "files"];

/** Looks at a data folder before anything is done there. @returns what removes everything that was added since. */
export function noteFolder(dataDir: string): () => void {
  const existed = existsSync(dataDir);
  const before = existed ? readdirSync(dataDir) : [];
  return () => {
    for (const name of added.filter((each) => !before.includes(each))) rmSync(join(dataDir, name), { recursive: true, force: true });
    if (!existed && existsSync(dataDir) && readdirSync(dataDir).length === 0) rmdirSync(dataDir);
  };
}
