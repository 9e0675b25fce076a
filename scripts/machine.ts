import { open } from "node:fs/promises";
import { join } from "node:path";

/** The machine's own slowest times during a measurement, in milliseconds. */
export type MachineLoad = {
  /** A bare write of 4 kB to the same disk, with fsync. */
  disk: number;
  /** Delay of a bare timer. */
  timer: number;
};

/** Writes to the folder's disk, and checks a timer every five milliseconds, until `end`. */
export function watchMachine(folder: string): { end: () => Promise<MachineLoad> } {
  const slowest: MachineLoad = { disk: 0, timer: 0 };
  let [watching, before] = [true, performance.now()];
  const timer = setInterval(() => {
    const now = performance.now();
    slowest.timer = Math.max(slowest.timer, now - before - 5);
    before = now;
  }, 5);
  const write = async () => {
    const file = await open(join(folder, "probe"), "a");
    while (watching) {
      const start = performance.now();
      await file.write(Buffer.alloc(4096, 1));
      await file.datasync();
      slowest.disk = Math.max(slowest.disk, performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await file.close();
  };
  const written = write();
  const end = async () => {
    watching = false;
    clearInterval(timer);
    await written;
    return slowest;
  };
  return { end };
}
