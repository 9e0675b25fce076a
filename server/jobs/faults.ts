import { type NewFault, recordFault } from "#domain/faults/faults.server.ts";
import { fingerprintOf } from "#domain/faults/fingerprint.ts";
import type { Site } from "#domain/site.ts";
import type { LoggedFault } from "#platform/log.ts";
import { seconds } from "#platform/time.ts";

const everyMs = seconds(2);
/** Kinds that wait for the database at the same time; more of them tell nothing new. */
const maxWaiting = 50;

export type FaultKeeper = {
  note(fault: LoggedFault): void;
  /** Saves what is noted from now on, and what was before. @returns what ends it, after saving the rest. */
  begin(site: Site, patternOf: (path: string) => string): () => Promise<void>;
};

/** Takes the errors of the log to where administrators see them, alike ones together and a few seconds later. */
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
        // While the database is away, which is often what the error was about.
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
