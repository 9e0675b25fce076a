import { readWhileWriting } from "../tests/faults/mixed-reading.ts";
import { findPostgres } from "../tests/postgres/start.ts";

/** `npm run prove-reading -- 60`: the long version of tests/mixed-reading.test.ts; prints its figure. */
const seconds = Number(process.argv[2] ?? 60);
await findPostgres();
const { reads, writes, compared, stalestMs, hiddenForMs } = await readWhileWriting(seconds * 1000);
console.log(
  `${seconds} s on two processes: ${reads} looks at stories beside ${writes} writes, the oldest ${Math.round(stalestMs)} ms behind; what was ` +
    `taken out of sight was shown for ${Math.round(hiddenForMs)} ms at the longest; a second later ${compared} pages are as the database is.`,
);
process.exit(0);
