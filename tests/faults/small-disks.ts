import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A limited place for a database. */
export type SmallDisk = {
  name: string;
  /** SQLite's error when it is full. */
  fault: string;
  folder: string;
  /** Lets the database's log grow by so many bytes. */
  leave(bytes: number, file: string): void;
  makeRoom(): void;
  remove(): void;
};

/** As available: a small disk for root, a limit on Linux, none elsewhere. */
export function makeSmallDisks(): SmallDisk[] {
  return [smallDisk(), limitedFiles()].filter((disk) => disk !== undefined);
}

/** A disk of its own, for root. `size` as for mount. */
export function smallDisk(size = "1m"): SmallDisk | undefined {
  const folder = makeFolder();
  if (!succeeds("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder])) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  const ballast = join(folder, "ballast");
  const makeRoom = () => rmSync(ballast, { force: true });
  return {
    name: size === "1m" ? "a disk of one megabyte" : `a disk of ${size}`,
    fault: "database or disk is full",
    folder,
    leave: (bytes) => {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(ballast, Buffer.alloc(bavail * bsize - bytes));
    },
    makeRoom,
    remove: () => {
      execFileSync("umount", [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

/** The operating system limits this process's files, like a quota. */
function limitedFiles(): SmallDisk | undefined {
  const limit = (bytes: number | "unlimited") => ["--pid", String(process.pid), `--fsize=${bytes}:`];
  if (!succeeds("prlimit", limit("unlimited"))) return undefined;
  const folder = makeFolder();
  return {
    name: "files that may not grow",
    fault: "disk I/O error",
    folder,
    leave: (bytes, file) => void execFileSync("prlimit", limit(statSync(`${file}-wal`).size + bytes)),
    makeRoom: () => void execFileSync("prlimit", limit("unlimited")),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), "inkstead-disk-"));
}

function succeeds(program: string, args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
