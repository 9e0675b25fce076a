import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Bytes that a whole run of tests takes at once, and some more. */
const needed = 4 * 1024 ** 3;

/**
 * Where tests put what they throw away: in memory where a machine has room for it, since most of what they take on a disk is
 * waiting for each of their commits. What tests the disk itself, or a process that is killed, has a folder on it.
 */
export function quickFolder(): string {
  const memory = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > needed ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
