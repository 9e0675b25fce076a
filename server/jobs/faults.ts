import { type NewFault, recordFault } from "#domain/faults/faults.server.ts";
import { fingerprintOf } from "#domain/faults/fingerprint.ts";
import type { Site } from "#domain/site.ts";
import type { LoggedFault } from "#platform/log.ts";
import { seconds } from "#platform/time.ts";

const saveIntervalMs = seconds(2);
/** Different errors that wait for the database. */
const maxPending = 50;

export type FaultRecorder = {
  add(fault: LoggedFault): void;
  /** Saves errors from now on, and those added earlier. @returns a function that saves the rest and stops. */
  start(site: Site, patternOf: (path: string) => string): () => Promise<void>;
};

/** Records logged errors for the Errors page, grouped, within seconds. */
export function createFaultRecorder(): FaultRecorder {
  const pending = new Map<string, { fault: LoggedFault; count: number }>();

  function add(fault: LoggedFault): void {
    const key = fingerprintOf({ source: "server", ...textsOf(fault) });
    const known = pending.get(key);
    if (known) pending.set(key, { fault, count: known.count + 1 });
    else if (pending.size < maxPending) pending.set(key, { fault, count: 1 });
  }

  async function save(site: Site, patternOf: (path: string) => string): Promise<void> {
    for (const [key, { fault, count }] of [...pending]) {
      pending.delete(key);
      const { path, requestId = null } = fault;
      const newFault: NewFault = { source: "server", ...textsOf(fault), route: path ? patternOf(path) : null, requestId, count };
      try {
        await recordFault(site, newFault);
      } catch (err) {
        // The database is down, which is often the error itself.
        const later = pending.get(key);
        pending.set(key, { fault: later?.fault ?? fault, count: count + (later?.count ?? 0) });
        site.log.warn({ err }, "errors can't be recorded now");
        return;
      }
    }
  }

  return {
    add,
    start(site, patternOf) {
      let saving = Promise.resolve();
      const saveNext = () => {
        if (pending.size > 0) saving = saving.then(() => save(site, patternOf));
        return saving;
      };
      const timer = setInterval(() => void saveNext(), saveIntervalMs);
      timer.unref();
      return async () => {
        clearInterval(timer);
        await saveNext();
      };
    },
  };
}

function textsOf({ err, message }: LoggedFault): { message: string; stack: string } {
  return { message: `${message}: ${err.name}: ${err.message}`, stack: err.stack?.slice(err.stack.indexOf("\n") + 1) ?? "" };
}
