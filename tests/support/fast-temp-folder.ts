import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Bytes that a whole run needs, and a reserve. */
const needed = 4 * 1024 ** 3;

/**
 * A folder for temporary data: in memory where there is room, because most time on a disk goes into syncing commits. Tests of the disk, or
 * of killed processes, use a folder on it.
 */
export function fastTempFolder(): string {
  const memory = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > needed ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
