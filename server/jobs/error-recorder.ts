import { type ErrorOccurrence, recordError } from "#domain/errors/errors.server.ts";
import { fingerprintOf } from "#domain/errors/fingerprint.ts";
import type { Site } from "#domain/site.ts";
import type { LoggedError } from "#platform/log.ts";
import { seconds } from "#platform/time.ts";

const saveIntervalMs = seconds(2);
/** Different errors that wait for the database. */
const maxPending = 50;

export type ErrorRecorder = {
  add(logged: LoggedError): void;
  /** Saves errors from now on, and those added earlier. @returns a function that saves the rest and stops. */
  start(site: Site, patternOf: (path: string) => string): () => Promise<void>;
};

/** Records logged errors for the Errors page, grouped, within seconds. */
export function createErrorRecorder(): ErrorRecorder {
  const pending = new Map<string, { logged: LoggedError; count: number }>();

  function add(logged: LoggedError): void {
    const key = fingerprintOf({ source: "server", ...textsOf(logged) });
    const known = pending.get(key);
    if (known) pending.set(key, { logged, count: known.count + 1 });
    else if (pending.size < maxPending) pending.set(key, { logged, count: 1 });
  }

  async function save(site: Site, patternOf: (path: string) => string): Promise<void> {
    for (const [key, { logged, count }] of [...pending]) {
      pending.delete(key);
      const { path, requestId = null } = logged;
      const occurrence: ErrorOccurrence = { source: "server", ...textsOf(logged), route: path ? patternOf(path) : null, requestId, count };
      try {
        await recordError(site, occurrence);
      } catch (err) {
        // The database is down, which is often the error itself.
        const later = pending.get(key);
        pending.set(key, { logged: later?.logged ?? logged, count: count + (later?.count ?? 0) });
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

function textsOf({ err, message }: LoggedError): { message: string; stack: string } {
  return { message: `${message}: ${err.name}: ${err.message}`, stack: err.stack?.slice(err.stack.indexOf("\n") + 1) ?? "" };
}
