import "#platform/private-files.ts";
import { move } from "./move/move.ts";
import { MoveError, readOptions } from "./move/options.ts";

/** `npm run move-to-postgres`: moves a stopped site from SQLite to PostgreSQL, and its files to a bucket. */
const stop = new AbortController();
let since = Number.POSITIVE_INFINITY;
for (const told of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"])
  process.on(told, () => {
    // A second Ctrl-C does not wait for the batch: the database rolls it back.
    if (Date.now() - since > 1_000) process.exit(1);
    since = Math.min(since, Date.now());
    stop.abort();
  });

try {
  const same = await move(readOptions(process.argv.slice(2), process.env), process.stdout, stop.signal);
  process.exit(same ? 0 : 1);
} catch (error) {
  if (!(error instanceof MoveError)) throw error;
  console.error(error.message);
  process.exit(1);
}
