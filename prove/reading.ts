import { readWhileWriting } from "../tests/faults/mixed-reading.ts";
import { findPostgres } from "../tests/postgres/start.ts";

/** `npm run prove -- reading 60`: the long version of tests/mixed-reading.test.ts; prints its figure. */
const seconds = Number(process.argv[2] ?? 60);
await findPostgres();
const { reads, writes, compared, stalestMs, hiddenForMs } = await readWhileWriting(seconds * 1000);
console.log(
  `${seconds} s on two processes: ${reads} reads of stories during ${writes} writes, the most outdated ${Math.round(stalestMs)} ms behind; hidden ` +
    `content was visible for at most ${Math.round(hiddenForMs)} ms; a second later ${compared} pages match the database.`,
);
