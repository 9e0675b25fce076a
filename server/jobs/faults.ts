import { type NewFault, recordFault } from "#domain/faults/faults.server.ts";
import { fingerprintOf } from "#domain/faults/fingerprint.ts";
import type { Site } from "#domain/site.ts";
import type { LoggedFault } from "#platform/log.ts";
import { seconds } from "#platform/time.ts";

const everyMs = seconds(2);
/** Different errors waiting for the database. */
const maxWaiting = 50;

export type FaultKeeper = {
  note(fault: LoggedFault): void;
  /** Saves noted errors, earlier ones too. @returns a function that saves the rest and stops. */
  begin(site: Site, patternOf: (path: string) => string): () => Promise<void>;
};

/** Brings logged errors to the Errors page, grouped, after a few seconds. */
export function keepFaults(): FaultKeeper {
  const waiting = new Map<string, { fault: LoggedFault; count: number }>();

  function note(fault: LoggedFault): void {
    const key = fingerprintOf({ source: "server", ...textsOf(fault) });
    const known = waiting.get(key);
    if (known) waiting.set(key, { fault, count: known.count + 1 });
    else if (waiting.size < maxWaiting) waiting.set(key, { fault, count: 1 });
  }

  async function save(site: Site, patternOf: (path: string) => string): Promise<void> {
    for (const [key, { fault, count }] of [...waiting]) {
      waiting.delete(key);
      const { path, requestId = null } = fault;
      const noted: NewFault = { source: "server", ...textsOf(fault), route: path ? patternOf(path) : null, requestId, count };
      try {
        await recordFault(site, noted);
      } catch (err) {
        // The database is down, which is often the error itself.
        if (!waiting.has(key)) waiting.set(key, { fault, count });
        site.log.warn({ err }, "errors can't be noted now");
        return;
      }
    }
  }

  return {
    note,
    begin(site, patternOf) {
      let saving = Promise.resolve();
      const saveNext = () => {
        if (waiting.size > 0) saving = saving.then(() => save(site, patternOf));
        return saving;
      };
      const timer = setInterval(() => void saveNext(), everyMs);
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
