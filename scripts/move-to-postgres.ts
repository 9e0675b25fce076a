import "#platform/private-files.ts";
import { explainFailure } from "#platform/database/explain-failure.ts";
import { move } from "./move/move.ts";
import { MoveError, readOptions, withOptions } from "./move/options.ts";

/** `npm run move-to-postgres`: moves a stopped site from SQLite to PostgreSQL, and its files to a bucket. */
const stop = new AbortController();
let interruptedAt = Number.POSITIVE_INFINITY;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"])
  process.on(signal, () => {
    // A second Ctrl-C exits at once; the database rolls the batch back.
    if (Date.now() - interruptedAt > 1_000) process.exit(1);
    interruptedAt = Math.min(interruptedAt, Date.now());
    stop.abort();
  });

let from = "";
try {
  const options = readOptions(process.argv.slice(2), process.env);
  from = options.from;
  const isEqual = await move(options, process.stdout, stop.signal);
  process.exit(isEqual ? 0 : 1);
} catch (error) {
  console.error(error instanceof MoveError ? error.message : `The move failed: ${withOptions(explainFailure(error, from).message)}`);
  process.exit(1);
}
